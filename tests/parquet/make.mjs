// Writes the small Parquet files of this folder with three libraries that have no code in common, and beside each the
// table that a fourth, independent reader (DuckDB) finds in it: NAME.parquet and NAME.csv. See README.md for versions.
//   npm install @duckdb/node-api nodejs-polars parquet-wasm apache-arrow hyparquet-writer && node make.mjs
import fs from 'fs';
import zlib from 'zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import pl from 'nodejs-polars';
import * as arrow from 'apache-arrow';
import * as wasm from 'parquet-wasm/node';
import { parquetWriteBuffer } from 'hyparquet-writer';

const out = process.env.OUT ?? '.';
const N = 200, T0 = 1700000000000;
const rows = Array.from({ length: N }, (_, i) => ({
  t: T0 + i * 1001, host: `n${i % 3}`, gpu: i % 4, power: 60.25 + ((i * 37) % 400) / 4 + 0.0625 * (i % 2),
  temp: i % 7 == 3 ? null : 30 + (i % 40), util: (i * 13) % 101 + 0.5, note: i % 11 == 0 ? null : i % 5 == 0 ? `a "b", ${i}` : `step ${1000 + i}`,
  ok: i % 3 == 0 }));
const db = await (await DuckDBInstance.create()).connect();
await db.run("set timezone = 'UTC'");
await db.run("set threads = 1");

// --- DuckDB: its own encodings for either version of pages
const lit = v => v === null ? 'null' : typeof v == 'string' ? `'${v}'` : `${v}`;
await db.run('create table g (t timestamptz, us timestamp, ns timestamp_ns, host varchar, gpu int, big ubigint, power double, util float, temp smallint, note varchar, ok boolean, day date, price decimal(9,3), id uuid)');
for (const [i, r] of rows.entries())
  await db.run(`insert into g values (epoch_ms(${r.t})::timestamp, make_timestamp(${r.t * 1000 + 1 + i % 7}), make_timestamp_ns(${BigInt(r.t) * 1000000n + 7n}), ${lit(r.host)}, ${r.gpu}, 18446744073709551615 - ${i}, ${r.power}, ${r.util}, ${lit(r.temp)}, ${lit(r.note)}, ${r.ok}, date '2024-01-01' + ${i}, ${i}.125 - 100, '00112233-4455-6677-8899-aabbccdd${(1000 + i).toString(16).padStart(4, '0')}')`);
for (const [name, opt] of [['duckdb-snappy', 'compression snappy'], ['duckdb-zstd', 'compression zstd'], ['duckdb-gzip', 'compression gzip'],
  ['duckdb-plain', "compression uncompressed, row_group_size 128"], ['duckdb-v2', "compression zstd, parquet_version 'v2', string_dictionary_page_size_limit 1"]])
  await db.run(`copy g to '${out}/${name}.parquet' (format parquet, ${opt})`);
// The study's tables, whose typed values go straight into columns: with nulls, words, odd times, many row groups.
const samples = "select t as timestamp, host as hostname, case when gpu = 0 then '032361704' else '00' || gpu end as \"gpuSerial\", 'GPU-' || gpu as \"gpuUUID\", power as \"powerDrawWatt\", temp as \"gpuTempC\", util as \"gpuUtilPerc\", gpu as \"gpuMemUtilPerc\" from g";
await db.run(`copy (${samples}) to '${out}/samples-typed.parquet' (format parquet, row_group_size 128)`);
await db.run(`copy (select * replace (strftime(timestamp at time zone 'UTC', '%Y/%m/%d %H:%M:%S.%g') as timestamp, case "gpuMemUtilPerc" when 1 then '[N/A]' when 2 then '7 %' else '5' end as "gpuMemUtilPerc", ("gpuTempC" || '.12345678') as "gpuTempC", ' ' || hostname as hostname) from (${samples})) to '${out}/samples-texts.parquet' (format parquet, parquet_version 'v2', string_dictionary_page_size_limit 1)`);
await db.run(`copy (select us as timestamp, host as hostname, 'Render' as "eventName", case when ok then 'START' else 'STOP' end as "eventType", 'job ' || (gpu // 2) as "jobId", note as "taskId" from g where note is not null) to '${out}/events.parquet' (format parquet, row_group_size 128)`);
await db.run(`copy (select coalesce(note, 'none') as "taskId", 'job ' || (gpu // 2) as "jobId", gpu as x, day - date '2023-12-31' as y, util::double as u, 12::tinyint as level from g) to '${out}/tasks.parquet' (format parquet)`);
await db.run(`copy (select t, power from g limit 5) to '${out}/refused-lz4.parquet' (format parquet, compression lz4)`);
await db.run(`copy (select t, [1, 2] as list, {'a': gpu, 'b': note} as s from g limit 5) to '${out}/duckdb-nested.parquet' (format parquet)`);
await db.run(`copy (select [1, 2] as list) to '${out}/refused-list.parquet' (format parquet)`);
await db.run("set force_mbedtls_unsafe = 'true'");
await db.run(`pragma add_parquet_key('k', '0123456789112345')`);
await db.run(`copy (select 1 as a) to '${out}/refused-encrypted.parquet' (format parquet, encryption_config {footer_key: 'k'})`);

// --- polars (Rust, its own writer)
const df = pl.DataFrame({ t: rows.map(r => new Date(r.t)), host: rows.map(r => r.host), gpu: pl.Series('gpu', rows.map(r => r.gpu), pl.Int32),
  power: rows.map(r => r.power), temp: pl.Series('temp', rows.map(r => r.temp), pl.Int64), note: rows.map(r => r.note), ok: rows.map(r => r.ok) });
for (const compression of ['snappy', 'gzip', 'zstd', 'uncompressed'])
  df.writeParquet(`${out}/polars-${compression}.parquet`, { compression });

// --- parquet-wasm (arrow-rs): pages of version 2, encodings by column
const table = arrow.tableFromArrays({ t: arrow.vectorFromArray(rows.map(r => r.t), new arrow.TimestampMillisecond('UTC')), host: rows.map(r => r.host),
  gpu: arrow.vectorFromArray(rows.map(r => r.gpu), new arrow.Int32()), power: Float64Array.from(rows.map(r => r.power)),
  util: Float32Array.from(rows.map(r => r.util)), temp: arrow.vectorFromArray(rows.map(r => r.temp === null ? null : BigInt(r.temp)), new arrow.Int64()), 
  note: arrow.vectorFromArray(rows.map(r => r.note), new arrow.Utf8()), ok: arrow.vectorFromArray(rows.map(r => r.ok), new arrow.Bool()) });
const E = wasm.Encoding;
for (const [name, codec, version, set] of [
  ['wasm-v1', wasm.Compression.SNAPPY, wasm.WriterVersion.V1, b => b.setDataPageSizeLimit(256).setWriteBatchSize(32)],
  ['wasm-v2', wasm.Compression.ZSTD, wasm.WriterVersion.V2, b => b.setDictionaryEnabled(false).setMaxRowGroupSize(130)],
  ['wasm-delta', wasm.Compression.GZIP, wasm.WriterVersion.V2, b => b.setDictionaryEnabled(false).setColumnEncoding('t', E.DELTA_BINARY_PACKED)
    .setColumnEncoding('gpu', E.DELTA_BINARY_PACKED).setColumnEncoding('temp', E.DELTA_BINARY_PACKED).setColumnEncoding('host', E.DELTA_LENGTH_BYTE_ARRAY)
    .setColumnEncoding('note', E.DELTA_BYTE_ARRAY).setColumnEncoding('ok', E.RLE).setColumnEncoding('power', E.BYTE_STREAM_SPLIT).setColumnEncoding('util', E.BYTE_STREAM_SPLIT)],
  ['refused-brotli', wasm.Compression.BROTLI, wasm.WriterVersion.V1, b => b]]) {
  const props = set(new wasm.WriterPropertiesBuilder().setCompression(codec).setWriterVersion(version)).build();
  fs.writeFileSync(`${out}/${name}.parquet`, wasm.writeParquet(wasm.Table.fromIPCStream(arrow.tableToIPC(table, 'stream')), props));
}

// --- hyparquet-writer (JavaScript): schemas by hand, with what the others do not write any more
const c = (name, data, more = {}) => ({ name, data, ...more });
const hy = (name, columnData, schema, more = {}) => fs.writeFileSync(`${out}/${name}.parquet`, Buffer.from(parquetWriteBuffer({
  columnData, schema: schema && [{ name: 'root', num_children: columnData.length }, ...schema], compressors: { GZIP: b => zlib.gzipSync(b) }, ...more })));
hy('hyparquet-main', [c('t', rows.map(r => new Date(r.t)), { type: 'TIMESTAMP' }), c('host', rows.map(r => r.host), { type: 'STRING' }), c('power', rows.map(r => r.power), { type: 'DOUBLE', encoding: 'BYTE_STREAM_SPLIT' }),
  c('util', rows.map(r => Math.fround(r.util)), { type: 'FLOAT', encoding: 'PLAIN' }), c('temp', rows.map(r => r.temp), { type: 'INT32', encoding: 'DELTA_BINARY_PACKED' }),
  c('note', rows.map(r => r.note), { type: 'STRING', encoding: 'DELTA_BYTE_ARRAY' }), c('ok', rows.map(r => r.ok), { type: 'BOOLEAN', encoding: 'RLE' })], undefined, { codec: 'GZIP', rowGroupSize: 100, pageSize: 256 });
hy('hyparquet-kinds', [c('micros', rows.map(r => new Date(r.t))), c('fixed', rows.map((r, i) => Buffer.from(`f${100 + i}`))), c('dec', rows.map((_, i) => i / 100 - 1)), c('nano', rows.map(r => BigInt(r.t) * 1000000n + 3n))], [
  { name: 'micros', type: 'INT64', repetition_type: 'REQUIRED', converted_type: 'TIMESTAMP_MICROS' },
  { name: 'fixed', type: 'FIXED_LEN_BYTE_ARRAY', type_length: 4, repetition_type: 'REQUIRED' },
  { name: 'dec', type: 'INT32', repetition_type: 'REQUIRED', converted_type: 'DECIMAL', scale: 2, precision: 7 },
  { name: 'nano', type: 'INT64', repetition_type: 'REQUIRED', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'NANOS' } }], { codec: 'SNAPPY' });

// The study's samples again, more of them than are taken at once: rows are then made in the words that store them.
const many = Array.from({ length: 4000 }, (_, i) => i);
hy('samples-many', [c('timestamp', many.map(i => new Date(1767225600000 + (i >> 2) * 1000 + (i & 3) * 7)), { type: 'TIMESTAMP', encoding: 'DELTA_BINARY_PACKED' }),
  c('hostname', many.map(i => `node-${(i >> 1) & 1}`), { type: 'STRING' }), c('gpuSerial', many.map(i => `SN${i & 3}`), { type: 'STRING' }), c('gpuUUID', many.map(i => `GPU-${i & 3}`), { type: 'STRING' }),
  c('powerDrawWatt', many.map(i => i % 997 == 5 ? null : 150 + ((i * 7919) % 2000) / 8), { type: 'DOUBLE' }), c('gpuTempC', many.map(i => 40 + (i * 31) % 40), { type: 'INT32' }),
  c('gpuUtilPerc', many.map(i => (i * 17) % 101), { type: 'INT32' }), c('gpuMemUtilPerc', many.map(i => i % 500 == 7 ? null : (i * 13) % 101), { type: 'INT32', encoding: 'DELTA_BINARY_PACKED' })],
  undefined, { codec: 'GZIP', rowGroupSize: 4000 });

// --- what an independent reader finds: NAME.csv, or WRITER.csv where all of a writer's files hold the same
for (const file of fs.readdirSync(out).filter(f => f.endsWith('.parquet') && !/^(refused|samples|events|tasks)/.test(f))) {
  const described = await (await db.run(`describe select * from '${out}/${file}'`)).getRowObjects();
  const text = ({ column_name: n, column_type: t }) => {
    // The older TIMESTAMP_MILLIS and _MICROS are in UTC (LogicalTypes.md), which DuckDB leaves open.
    const q = `"${n}"`, utc = t.includes('ZONE') || (file.startsWith('hyparquet') && n != 'nano');
    if (t.startsWith('TIMESTAMP')) return `regexp_replace(regexp_replace(strftime(${q}${t.includes('ZONE') ? " at time zone 'UTC'" : ''}, '%Y-%m-%dT%H:%M:%S.%n'), '000$', ''), '000$', '') || '${utc ? 'Z' : ''}' as ${q}`;
    if (t == 'DOUBLE' || t == 'FLOAT') return `regexp_replace(${q}::varchar, '\\.0$', '') as ${q}`;
    if (t == 'BLOB') return `decode(${q}) as ${q}`;
    return t.startsWith('STRUCT') || t.endsWith('[]') ? null : `${q}::varchar as ${q}`;
  };
  const columns = file.startsWith('duckdb-nested') ? [text(described[0]), 's.a as "s.a"', 's.b as "s.b"'] : described.map(text).filter(x => x);
  const own = `${out}/${file.replace('.parquet', '.csv')}`, shared = `${out}/${file.split(/[-.]/)[0]}.csv`;
  await db.run(`copy (select ${columns.join(', ')} from '${out}/${file}') to '${own}' (header, delimiter ',', quote '"')`);
  if (own == shared) continue;
  if (!fs.existsSync(shared)) fs.renameSync(own, shared);
  else if (fs.readFileSync(own).equals(fs.readFileSync(shared))) fs.unlinkSync(own);
}
