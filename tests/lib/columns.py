"""A result as numpy arrays, without a copy: python3 columns.py libgpustat.so.0 DIR. Both are packages of Debian."""
import ctypes
import sys

import numpy

TEXT, INTEGER, REAL, TIME = range(4)


class Column(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("length", ctypes.c_size_t), ("n_missing", ctypes.c_size_t),
                ("values", ctypes.c_void_p), ("offsets", ctypes.POINTER(ctypes.c_int64)),
                ("validity", ctypes.POINTER(ctypes.c_uint8))]


def library(path):
    lib = ctypes.CDLL(path)
    for name in ("gpustat_run_open", "gpustat_table_at"):
        getattr(lib, name).restype = ctypes.c_void_p
    for name in ("gpustat_column_name", "gpustat_error", "gpustat_version"):
        getattr(lib, name).restype = ctypes.c_char_p
    lib.gpustat_column_count.restype = ctypes.c_size_t
    return lib


def words(*texts):
    return (ctypes.c_char_p * (len(texts) + 1))(*[t.encode() for t in texts], None)


def column(lib, result, table, k):
    """The values and which of them are there; the arrays look at the library's own memory."""
    c = Column()
    status = lib.gpustat_column_data(result, ctypes.c_void_p(table), ctypes.c_size_t(k), ctypes.byref(c))
    assert status == 0, status
    if c.length == 0:
        return numpy.empty(0), numpy.empty(0, bool)
    bits = numpy.ctypeslib.as_array(c.validity, ((c.length + 7) // 8,))
    there = numpy.unpackbits(bits, bitorder="little")[:c.length].astype(bool)
    if c.type == TEXT:
        ends = numpy.ctypeslib.as_array(c.offsets, (c.length + 1,))
        data = ctypes.string_at(c.values, int(ends[-1]))
        return numpy.array([data[a:b].decode() for a, b in zip(ends, ends[1:])]), there
    kind = ctypes.c_double if c.type == REAL else ctypes.c_int64
    assert c.values % 64 == 0
    return numpy.ctypeslib.as_array(ctypes.cast(c.values, ctypes.POINTER(kind)), (c.length,)), there


def main():
    lib = library(sys.argv[1])
    run = ctypes.c_void_p(lib.gpustat_run_open(words(sys.argv[2])))
    result = ctypes.c_void_p()
    status = lib.gpustat_analyse(run, b"gpus", words("--sort=power_mean_w:desc"), ctypes.byref(result))
    if status not in (0, 1):
        sys.exit(lib.gpustat_error(run).decode())
    table = lib.gpustat_table_at(result, ctypes.c_size_t(0))
    names = [lib.gpustat_column_name(ctypes.c_void_p(table), ctypes.c_size_t(k)).decode()
             for k in range(lib.gpustat_column_count(ctypes.c_void_p(table)))]
    host, _ = column(lib, result, table, names.index("hostname"))
    power, there = column(lib, result, table, names.index("power_mean_w"))
    samples, _ = column(lib, result, table, names.index("samples"))
    print("%s %.6f %.6f %d" % (host[0], power[there].max(), power[there].mean(), samples.sum()))
    lib.gpustat_result_free(result)
    lib.gpustat_run_close(run)


main()
