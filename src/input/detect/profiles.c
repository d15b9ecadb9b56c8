/* profiles.c - what the files of known tools mean: a row of the table each, written as a source of a map. */
#include <string.h>

#include "input/detect/names_parts.h"
#include "input/schema/pattern.h"

struct profile {
    const char *form;
    const char *needs;  /* columns, or COLUMN=VALUE seen in some row; parted by '|'      */
    const char *unless; /* the same: where one is there, the profile is none; or NULL    */
    const char *source; /* metrics and attributes whose columns are not there are left out */
};

/* clang-format off */
/* What several rows say of their samples, from the GPU on. */
#define OF_DMON \
     "\"gpu\":\"gpu\",\"metrics\":{" \
     "\"power_w\":{\"column\":\"pwr\",\"unit\":\"W\"},\"temp_c\":{\"column\":\"gtemp\",\"unit\":\"C\"}," \
     "\"gpu_util_pct\":{\"column\":\"sm\",\"unit\":\"%\"},\"mem_util_pct\":{\"column\":\"mem\",\"unit\":\"%\"}," \
     "\"mem_clock_mhz\":{\"column\":\"mclk\",\"unit\":\"MHz\"},\"sm_clock_mhz\":{\"column\":\"pclk\",\"unit\":\"MHz\"}," \
     "\"mem_temp_c\":{\"column\":\"mtemp\",\"unit\":\"C\"},\"mem_used_mib\":{\"column\":\"fb\",\"unit\":\"MiB\"}," \
     "\"enc_util_pct\":{\"column\":\"enc\",\"unit\":\"%\"},\"dec_util_pct\":{\"column\":\"dec\",\"unit\":\"%\"}," \
     "\"jpeg_util_pct\":{\"column\":\"jpg\",\"unit\":\"%\"},\"ofa_util_pct\":{\"column\":\"ofa\",\"unit\":\"%\"}," \
     "\"pcie_tx_mibps\":{\"column\":\"txpci\",\"unit\":\"MB/s\"},\"pcie_rx_mibps\":{\"column\":\"rxpci\",\"unit\":\"MB/s\"}}}"
/* A Jetson's power is that of the module, else of the GPU's own rail. */
#define OF_TEGRA(power) \
     "{\"role\":\"samples\",\"time\":{\"column\":\"time\",\"unit\":\"MM-DD-YYYY hh:mm:ss\"},\"metrics\":{" \
     "\"power_w\":{\"column\":\"" power "\",\"unit\":\"mW\"},\"temp_c\":{\"column\":\"GPU\",\"unit\":\"C\"}," \
     "\"gpu_util_pct\":{\"column\":\"GR3D_FREQ\",\"unit\":\"%\"},\"mem_used_mib\":{\"column\":\"RAM\",\"unit\":\"MiB\"}}}"

/* Older cards of AMD say a mean power, newer ones that of the socket. */
#define OF_ROCM(power) \
     "{\"role\":\"samples\",\"time\":\"timestamp\",\"gpu\":\"device\",\"metrics\":{" \
     "\"power_w\":{\"column\":\"" power "\",\"unit\":\"W\"}," \
     "\"temp_c\":{\"column\":\"Temperature (Sensor edge) (C)\",\"unit\":\"C\"}," \
     "\"hotspot_temp_c\":{\"column\":\"Temperature (Sensor junction) (C)\",\"unit\":\"C\"}," \
     "\"mem_temp_c\":{\"column\":\"Temperature (Sensor memory) (C)\",\"unit\":\"C\"}," \
     "\"gpu_util_pct\":{\"column\":\"GPU use (%)\",\"unit\":\"%\"}," \
     "\"mem_used_mib\":{\"column\":\"VRAM Total Used Memory (B)\",\"unit\":\"B\"}}}"

/* MLflow's system metrics: the GPU stands within the key. */
#define OF_MLFLOW \
     "{\"role\":\"samples\",\"time\":{\"column\":\"timestamp\",\"unit\":\"ms\"},\"gpu\":{\"column\":\"key\",\"like\":\"system/gpu_{}_*\"}," \
     "\"metrics\":{\"power_w\":{\"column\":\"value\",\"unit\":\"W\",\"where\":{\"key\":\"system/gpu_*_power_usage_watts\"}}," \
     "\"gpu_util_pct\":{\"column\":\"value\",\"unit\":\"%\",\"where\":{\"key\":\"system/gpu_*_utilization_percentage\"}}," \
     "\"mem_used_mib\":{\"column\":\"value\",\"unit\":\"MB\",\"where\":{\"key\":\"system/gpu_*_memory_usage_megabytes\"}}}}"

/* A Mac's GPU, or where the meter is that of the whole package, that; a machine's GPU by turbostat, or its package. */
#define OF_MAC(power, unit) \
     "{\"role\":\"samples\",\"time\":\"time\",\"metrics\":{\"power_w\":{\"column\":\"" power "\",\"unit\":\"" unit "\"}," \
     "\"gpu_util_pct\":{\"column\":\"GPU HW active residency\",\"unit\":\"%\"}," \
     "\"sm_clock_mhz\":{\"column\":\"GPU HW active frequency\",\"unit\":\"MHz\"}}}"
#define OF_ITS_CLOCK "\"time\":{\"column\":\"Time_Of_Day_Seconds\",\"unit\":\"s\"},"
#define OF_TURBOSTAT(time, power) \
     "{\"role\":\"samples\"," time "\"metrics\":{\"power_w\":{\"column\":\"" power "\",\"unit\":\"W\"}," \
     "\"sm_clock_mhz\":{\"column\":\"GFXMHz\",\"unit\":\"MHz\"}}}"

static const struct profile profiles[] = {
    {"table", "timestamp|value|key=system/gpu_0_power_usage_watts", NULL, OF_MLFLOW},
    {"json", "timestamp|value|key=system/gpu_0_power_usage_watts", NULL, OF_MLFLOW},
    {"mllog", "key=power_reading", NULL,
     "{\"role\":\"samples\",\"where\":{\"key\":\"power_reading\"},\"time\":\"time_ms\","
     "\"metrics\":{\"power_w\":{\"column\":\"value\",\"unit\":\"W\"}}}"},
    {"mllog", "event_type=INTERVAL_START", "key=power_reading",
     "{\"role\":\"events\",\"where\":{\"event_type\":\"INTERVAL_*\"},\"event\":\"key\",\"time\":\"time_ms\","
     "\"phase\":{\"start\":\"{}_start\",\"stop\":\"{}_stop\"},\"task\":\"metadata.epoch_num\"}"},
    {"mllog", "key=power_begin", NULL,
     "{\"role\":\"events\",\"where\":{\"key\":[\"power_begin\",\"power_end\"]},\"event\":\"key\","
     "\"time\":{\"column\":\"value\",\"unit\":\"MM-DD-YYYY hh:mm:ss\"},"
     "\"phase\":{\"start\":\"{}_begin\",\"stop\":\"{}_end\"}}"},
    {"spl", "Time|Watts", NULL,
     "{\"role\":\"samples\",\"time\":{\"column\":\"Time\",\"unit\":\"MM-DD-YYYY hh:mm:ss\"},"
     "\"metrics\":{\"power_w\":{\"column\":\"Watts\",\"unit\":\"W\"}}}"},
    {"sacct", "JobName|Start|End|Step=", "gpu_index",
     "{\"role\":\"events\",\"where\":{\"Step\":\"\"},\"event\":\"JobName\",\"start\":\"Start\",\"stop\":\"End\","
     "\"host\":{\"column\":\"NodeList\",\"many\":true},\"job\":\"Job\",\"duration\":{\"column\":\"running_s\",\"unit\":\"s\"}}"},
    {"sacct", "JobName|Start|End|Step=|gpu_index", NULL,
     "{\"role\":\"events\",\"where\":{\"Step\":\"\"},\"event\":\"JobName\",\"start\":\"Start\",\"stop\":\"End\","
     "\"host\":{\"column\":\"NodeList\",\"many\":true},\"gpu\":{\"column\":\"gpu_index\",\"many\":true},"
     "\"job\":\"Job\",\"duration\":{\"column\":\"running_s\",\"unit\":\"s\"}}"},
    {"sacct", "JobName|Start|End", "Step=",
     "{\"role\":\"events\",\"event\":\"JobName\",\"start\":\"Start\",\"stop\":\"End\","
     "\"host\":{\"column\":\"NodeList\",\"many\":true},\"job\":\"Job\",\"task\":\"Step\",\"duration\":{\"column\":\"running_s\",\"unit\":\"s\"}}"},
    {"json", "job_id|name|nodes|time.start|time.end", NULL, /* sacct --json: an end of 0 is none yet */
     "{\"role\":\"events\",\"where\":{\"time.start\":[\"1*\",\"2*\"],\"time.end\":[\"1*\",\"2*\"]},\"event\":\"name\",\"start\":{\"column\":\"time.start\",\"unit\":\"s\"},"
     "\"stop\":{\"column\":\"time.end\",\"unit\":\"s\"},\"host\":{\"column\":\"nodes\",\"many\":true},\"job\":\"job_id\","
     "\"attributes\":{\"user\":\"user\",\"account\":\"account\",\"partition\":\"partition\",\"qos\":\"qos\"}}"},
    {"chrome", "ph|ts|cat=kernel", NULL,
     "{\"role\":\"events\",\"where\":{\"ph\":\"X\",\"cat\":[\"kernel\",\"user_annotation\"]},\"event\":\"name\","
     "\"start\":{\"column\":\"ts\",\"unit\":\"us\"},\"duration\":{\"column\":\"dur\",\"unit\":\"us\"},\"gpu\":\"args.device\"}"},
    {"chrome", "ph|ts|cat=Kernel", "cat=kernel", /* PyTorch up to 1.11 */
     "{\"role\":\"events\",\"where\":{\"ph\":\"X\",\"cat\":[\"Kernel\",\"user_annotation\"]},\"event\":\"name\","
     "\"start\":{\"column\":\"ts\",\"unit\":\"us\"},\"duration\":{\"column\":\"dur\",\"unit\":\"us\"},\"gpu\":\"args.device\"}"},
    {"chrome", "ph|ts", "cat=kernel|cat=Kernel",
     "{\"role\":\"events\",\"where\":{\"ph\":\"X\"},\"event\":\"name\","
     "\"start\":{\"column\":\"ts\",\"unit\":\"us\"},\"duration\":{\"column\":\"dur\",\"unit\":\"us\"}}"},
    {"json", "ph|ts|dur|name", NULL, /* a trace's events on lines of their own */
     "{\"role\":\"events\",\"where\":{\"ph\":\"X\"},\"event\":\"name\","
     "\"start\":{\"column\":\"ts\",\"unit\":\"us\"},\"duration\":{\"column\":\"dur\",\"unit\":\"us\"}}"},
    {"nsys", "kind|start_ns|end_ns", NULL,
     "{\"role\":\"events\",\"where\":{\"kind\":[\"nvtx\",\"kernel\",\"memcpy\",\"memset\"]},\"event\":\"name\","
     "\"start\":\"start_ns\",\"stop\":\"end_ns\",\"host\":\"host\",\"gpu\":\"gpu_uuid\"}"},
    {"nsys", "kind=metric|time_ns", NULL,
     "{\"role\":\"samples\",\"where\":{\"kind\":\"metric\"},\"time\":\"time_ns\",\"host\":\"host\",\"gpu\":\"gpu_uuid\","
     "\"metrics\":{\"power_w\":{\"column\":\"value\",\"unit\":\"W\",\"where\":{\"metric\":[\"*power [W]\",\"*Power [W]\"]}}}}"},
    {"dmon", "gpu|pwr|timestamp", NULL, "{\"role\":\"samples\",\"time\":\"timestamp\"," OF_DMON},
    {"dmon", "gpu|pwr", "timestamp", "{\"role\":\"samples\"," OF_DMON},
    {"dmon", "gpu|sm|timestamp", "pwr|pid", "{\"role\":\"samples\",\"time\":\"timestamp\"," OF_DMON},
    {"dmon", "gpu|sm", "pwr|timestamp|pid", "{\"role\":\"samples\"," OF_DMON},
    {"dmon", "gpu|rxpci|timestamp", "pwr|sm", "{\"role\":\"samples\",\"time\":\"timestamp\"," OF_DMON},
    {"dmon", "gpu|rxpci", "pwr|sm|timestamp", "{\"role\":\"samples\"," OF_DMON},
    {"table", "gpu|pwr|gtemp", NULL, "{\"role\":\"samples\",\"time\":\"timestamp\"," OF_DMON},
    {"dmon", "Entity|POWER", NULL,
     "{\"role\":\"samples\",\"time\":\"timestamp\",\"gpu\":\"Entity\",\"metrics\":{"
     "\"power_w\":{\"column\":\"POWER\",\"unit\":\"W\"},\"temp_c\":{\"column\":\"TMPTR\",\"unit\":\"C\"},"
     "\"gpu_util_pct\":{\"column\":\"GPUTL\",\"unit\":\"%\"},\"mem_util_pct\":{\"column\":\"MCUTL\",\"unit\":\"%\"},"
     "\"mem_used_mib\":{\"column\":\"FBUSD\",\"unit\":\"MiB\"},\"sm_clock_mhz\":{\"column\":\"SMCLK\",\"unit\":\"MHz\"},"
     "\"mem_clock_mhz\":{\"column\":\"MMCLK\",\"unit\":\"MHz\"},\"energy_j\":{\"column\":\"TOTEC\",\"unit\":\"mJ\"},"
     "\"mem_temp_c\":{\"column\":\"MMTMP\",\"unit\":\"C\"},"
     "\"pcie_tx_mibps\":{\"column\":\"PCITX\",\"unit\":\"B/s\"},\"pcie_rx_mibps\":{\"column\":\"PCIRX\",\"unit\":\"B/s\"}}}"},
    {"json", "gpu|power.socket_power.value", NULL,
     "{\"role\":\"samples\",\"time\":\"timestamp\",\"gpu\":\"gpu\",\"metrics\":{"
     "\"power_w\":{\"column\":\"power.socket_power.value\",\"unit\":\"W\"},"
     "\"temp_c\":{\"column\":\"temperature.hotspot.value\",\"unit\":\"C\"},"
     "\"gpu_util_pct\":{\"column\":\"usage.gfx_activity.value\",\"unit\":\"%\"},"
     "\"mem_util_pct\":{\"column\":\"usage.umc_activity.value\",\"unit\":\"%\"},"
     "\"mem_used_mib\":{\"column\":\"mem_usage.used_vram.value\",\"unit\":\"MiB\"},"
     "\"mem_temp_c\":{\"column\":\"temperature.mem.value\",\"unit\":\"C\"}}}"},
    {"json", "query_time|uuid|power.draw", NULL,
     "{\"role\":\"samples\",\"time\":\"query_time\",\"host\":\"hostname\",\"gpu\":\"uuid\",\"metrics\":{"
     "\"power_w\":{\"column\":\"power.draw\",\"unit\":\"W\"},\"temp_c\":{\"column\":\"temperature.gpu\",\"unit\":\"C\"},"
     "\"gpu_util_pct\":{\"column\":\"utilization.gpu\",\"unit\":\"%\"},\"mem_used_mib\":{\"column\":\"memory.used\",\"unit\":\"MiB\"},"
     "\"fan_pct\":{\"column\":\"fan.speed\",\"unit\":\"%\"}}}"},
    {"table", "_timestamp|system.gpu.0.powerWatts", NULL,
     "{\"role\":\"samples\",\"time\":{\"column\":\"_timestamp\",\"unit\":\"s\"},\"metrics\":{"
     "\"power_w\":{\"columns\":\"system.gpu.{gpu}.powerWatts\",\"unit\":\"W\"},\"temp_c\":{\"columns\":\"system.gpu.{gpu}.temp\",\"unit\":\"C\"},"
     "\"gpu_util_pct\":{\"columns\":\"system.gpu.{gpu}.gpu\",\"unit\":\"%\"},\"mem_util_pct\":{\"columns\":\"system.gpu.{gpu}.memory\",\"unit\":\"%\"}}}"},
    {"amd-smi", "GPU|POWER", "GPU_T",
     "{\"role\":\"samples\",\"time\":\"TIMESTAMP\",\"gpu\":\"GPU\",\"metrics\":{\"power_w\":{\"column\":\"POWER\",\"unit\":\"W\"},"
     "\"temp_c\":{\"column\":\"GPU_TEMP\",\"unit\":\"C\"},\"gpu_util_pct\":{\"column\":\"GFX_UTIL\",\"unit\":\"%\"},"
     "\"mem_util_pct\":{\"column\":\"MEM_UTIL\",\"unit\":\"%\"},\"mem_used_mib\":{\"column\":\"VRAM_USED\",\"unit\":\"MB\"},"
     "\"sm_clock_mhz\":{\"column\":\"GFX_CLOCK\",\"unit\":\"MHz\"},\"mem_clock_mhz\":{\"column\":\"MEM_CLOCK\",\"unit\":\"MHz\"},"
     "\"mem_temp_c\":{\"column\":\"MEM_TEMP\",\"unit\":\"C\"}}}"},
    {"amd-smi", "GPU|POWER|GPU_T", NULL,
     "{\"role\":\"samples\",\"time\":\"TIMESTAMP\",\"gpu\":\"GPU\",\"metrics\":{\"power_w\":{\"column\":\"POWER\",\"unit\":\"W\"},"
     "\"temp_c\":{\"column\":\"GPU_T\",\"unit\":\"C\"},\"gpu_util_pct\":{\"column\":\"GFX%\",\"unit\":\"%\"},"
     "\"mem_util_pct\":{\"column\":\"MEM%\",\"unit\":\"%\"},\"sm_clock_mhz\":{\"column\":\"GFX_CLK\",\"unit\":\"MHz\"},"
     "\"mem_temp_c\":{\"column\":\"MEM_T\",\"unit\":\"C\"}}}"},
    {"rocm-smi", "device", "Current Socket Graphics Package Power (W)|power", OF_ROCM("Average Graphics Package Power (W)")},
    {"rocm-smi", "device|Current Socket Graphics Package Power (W)", NULL, OF_ROCM("Current Socket Graphics Package Power (W)")},
    {"rocm-smi", "device|power", NULL, /* its table */
     "{\"role\":\"samples\",\"time\":\"timestamp\",\"gpu\":\"device\",\"metrics\":{"
     "\"power_w\":{\"column\":\"power\",\"unit\":\"W\"},\"temp_c\":{\"column\":\"temp\",\"unit\":\"C\"},"
     "\"gpu_util_pct\":{\"column\":\"gpu_util\",\"unit\":\"%\"},"
     "\"sm_clock_mhz\":{\"column\":\"sclk\",\"unit\":\"MHz\"},\"mem_clock_mhz\":{\"column\":\"mclk\",\"unit\":\"MHz\"}}}"},
    {"tegrastats", "GR3D_FREQ", "VDD_IN|POM_5V_IN|VDD_GPU_SOC|GPU mW", OF_TEGRA("VDD_IN")},
    {"tegrastats", "GR3D_FREQ|VDD_IN", NULL, OF_TEGRA("VDD_IN")},
    {"tegrastats", "GR3D_FREQ|POM_5V_IN", "VDD_IN", OF_TEGRA("POM_5V_IN")},
    {"tegrastats", "GR3D_FREQ|VDD_GPU_SOC", "VDD_IN|POM_5V_IN", OF_TEGRA("VDD_GPU_SOC")},
    {"tegrastats", "GR3D_FREQ|GPU mW", "VDD_IN|POM_5V_IN|VDD_GPU_SOC", OF_TEGRA("GPU mW")},
    {"powermetrics", "GPU Power", NULL, OF_MAC("GPU Power", "mW")},
    {"powermetrics", "Intel energy model derived package power (CPUs+GT+SA)", "GPU Power",
     OF_MAC("Intel energy model derived package power (CPUs+GT+SA)", "W")},
    {"powermetrics", "GPU HW active residency", "GPU Power|Intel energy model derived package power (CPUs+GT+SA)",
     OF_MAC("GPU Power", "mW")},
    {"turbostat", "PkgWatt|Time_Of_Day_Seconds", "GFXWatt", OF_TURBOSTAT(OF_ITS_CLOCK, "PkgWatt")},
    {"turbostat", "GFXWatt|Time_Of_Day_Seconds", NULL, OF_TURBOSTAT(OF_ITS_CLOCK, "GFXWatt")},
    {"turbostat", "PkgWatt", "GFXWatt|Time_Of_Day_Seconds", OF_TURBOSTAT("", "PkgWatt")},
    {"turbostat", "GFXWatt", "Time_Of_Day_Seconds", OF_TURBOSTAT("", "GFXWatt")},
    {"table", "time|uptime|Power TOT", NULL,
     "{\"role\":\"samples\",\"time\":\"time\",\"metrics\":{"
     "\"power_w\":{\"column\":\"Power TOT\",\"unit\":\"mW\"},\"temp_c\":{\"column\":\"Temp GPU\",\"unit\":\"C\"},"
     "\"gpu_util_pct\":{\"column\":\"GPU\",\"unit\":\"%\"}}}"},
    {"table", "TIME|EPOCH_COUNT|REGION_HASH|GPU_POWER", NULL,
     "{\"role\":\"samples\",\"time\":{\"column\":\"TIME\",\"unit\":\"s\"},\"metrics\":{"
     "\"power_w\":{\"column\":\"GPU_POWER\",\"unit\":\"W\"}}}"},
    {"table", "project_name|duration|emissions|energy_consumed|timestamp", NULL,
     "{\"role\":\"events\",\"event\":\"project_name\",\"stop\":\"timestamp\",\"duration\":{\"column\":\"duration\",\"unit\":\"s\"},"
     "\"job\":\"run_id\",\"metrics\":{\"gpu_energy_j\":{\"column\":\"gpu_energy\",\"unit\":\"kWh\"},"
     "\"energy_consumed_j\":{\"column\":\"energy_consumed\",\"unit\":\"kWh\"}}}"},
    {"table", "task_id|hash|native_id|name|start|complete", NULL,
     "{\"role\":\"events\",\"event\":\"process\",\"start\":\"start\",\"stop\":\"complete\",\"task\":\"task_id\","
     "\"attributes\":{\"name\":\"name\",\"status\":\"status\",\"submit\":\"submit\"}}"},
    {"table", "timestamp|tag|duration", NULL, /* pyJoules: seconds, uJ, and mJ of GPUs */
     "{\"role\":\"events\",\"event\":\"tag\",\"start\":{\"column\":\"timestamp\",\"unit\":\"s\"},\"duration\":{\"column\":\"duration\",\"unit\":\"s\"},"
     "\"metrics\":{\"gpu_energy_j\":{\"column\":\"nvidia_gpu_0\",\"unit\":\"mJ\"},\"package_energy_j\":{\"column\":\"package_0\",\"unit\":\"uJ\"}}}"},
    {"table", "Start (ns)|Duration (ns)|CorrId|Device|Name", NULL, /* nsys stats: \"NVIDIA A100 (0)\" */
     "{\"role\":\"events\",\"event\":\"Name\",\"start\":\"Start (ns)\",\"duration\":\"Duration (ns)\",\"gpu\":{\"column\":\"Device\",\"like\":\"*({})\"}}"},
    {"table", "Delta|Time|GPU0_POWER (mWatts)", NULL, /* EnergiBridge */
     "{\"role\":\"samples\",\"time\":{\"column\":\"Time\",\"unit\":\"ms\"},\"metrics\":{"
     "\"power_w\":{\"columns\":\"GPU{gpu}_POWER (mWatts)\",\"unit\":\"mW\"},\"temp_c\":{\"columns\":\"GPU{gpu}_TEMPERATURE\",\"unit\":\"C\"},"
     "\"gpu_util_pct\":{\"columns\":\"GPU{gpu}_USAGE\",\"unit\":\"%\"},\"mem_used_mib\":{\"columns\":\"GPU{gpu}_MEMORY_USED\",\"unit\":\"B\"}}}"},
    {"table", "Date|CPU Utilization|Total Power|CPU Power|GPU Power", NULL, /* PowerJoular */
     "{\"role\":\"samples\",\"time\":\"Date\",\"metrics\":{\"power_w\":{\"column\":\"GPU Power\",\"unit\":\"W\"}}}"},
    {"table", "timestamp|gpu|power_usage|gfx", NULL, /* amd-smi monitor --csv */
     "{\"role\":\"samples\",\"time\":{\"column\":\"timestamp\",\"unit\":\"s\"},\"gpu\":\"gpu\",\"metrics\":{"
     "\"power_w\":{\"column\":\"power_usage\",\"unit\":\"W\"},\"temp_c\":{\"column\":\"hotspot_temperature\",\"unit\":\"C\"},"
     "\"gpu_util_pct\":{\"column\":\"gfx\",\"unit\":\"%\"},\"mem_clock_mhz\":{\"column\":\"mem_clock\",\"unit\":\"MHz\"},"
     "\"mem_temp_c\":{\"column\":\"memory_temperature\",\"unit\":\"C\"}}}"},
    {"table", "timestamp|gpu|socket_power", NULL,
     "{\"role\":\"samples\",\"time\":{\"column\":\"timestamp\",\"unit\":\"s\"},\"gpu\":\"gpu\",\"metrics\":{"
     "\"power_w\":{\"column\":\"socket_power\",\"unit\":\"W\"},\"temp_c\":{\"column\":\"hotspot\",\"unit\":\"C\"},"
     "\"gpu_util_pct\":{\"column\":\"gfx_activity\",\"unit\":\"%\"},\"mem_util_pct\":{\"column\":\"umc_activity\",\"unit\":\"%\"},"
     "\"mem_used_mib\":{\"column\":\"used_vram\",\"unit\":\"MiB\"}}}"},
    {"influx", "measurement=amd_rocm_smi|time", NULL,
     "{\"role\":\"samples\",\"time\":{\"column\":\"time\",\"unit\":\"ns\"},\"host\":\"host\",\"gpu\":\"gpu_unique_id\",\"metrics\":{"
     "\"power_w\":{\"column\":\"power_draw\",\"unit\":\"W\"},\"temp_c\":{\"column\":\"temperature_sensor_edge\",\"unit\":\"C\"},"
     "\"gpu_util_pct\":{\"column\":\"utilization_gpu\",\"unit\":\"%\"},\"mem_util_pct\":{\"column\":\"utilization_memory\",\"unit\":\"%\"},"
     "\"mem_used_mib\":{\"column\":\"memory_used\",\"unit\":\"B\"},\"sm_clock_mhz\":{\"column\":\"clocks_current_sm\",\"unit\":\"MHz\"},"
     "\"mem_clock_mhz\":{\"column\":\"clocks_current_memory\",\"unit\":\"MHz\"},\"fan_pct\":{\"column\":\"fan_speed\",\"unit\":\"%\"}}}"},
    {"json", "_timestamp|system.gpu.0.powerWatts", NULL,
     "{\"role\":\"samples\",\"time\":{\"column\":\"_timestamp\",\"unit\":\"s\"},\"metrics\":{"
     "\"power_w\":{\"columns\":\"system.gpu.{gpu}.powerWatts\",\"unit\":\"W\"},\"temp_c\":{\"columns\":\"system.gpu.{gpu}.temp\",\"unit\":\"C\"},"
     "\"gpu_util_pct\":{\"columns\":\"system.gpu.{gpu}.gpu\",\"unit\":\"%\"},\"mem_util_pct\":{\"columns\":\"system.gpu.{gpu}.memory\",\"unit\":\"%\"}}}"},
    {"clustercockpit", "startTime|duration|jobId", NULL,
     "{\"role\":\"events\",\"event\":{\"text\":\"job\"},\"start\":{\"column\":\"startTime\","
     "\"unit\":\"s\"},\"duration\":{\"column\":\"duration\",\"unit\":\"s\"},\"job\":\"jobId\","
     "\"host\":{\"column\":\"hosts\",\"many\":true},\"gpu\":{\"column\":\"accelerators\",\"many\":true},\"attributes\":{\"user\":\"user\","
     "\"project\":\"project\",\"cluster\":\"cluster\",\"state\":\"jobState\"}}"},
    {"otlp", "name|startTimeUnixNano|endTimeUnixNano", NULL,
     "{\"role\":\"events\",\"event\":\"name\",\"start\":{\"column\":\"startTimeUnixNano\","
     "\"unit\":\"ns\"},\"stop\":{\"column\":\"endTimeUnixNano\",\"unit\":\"ns\"},"
     "\"host\":\"host.name\",\"attributes\":{\"service\":\"service.name\"}}"},
    {"nvidia-smi", "time|gpu|power", NULL,
     "{\"role\":\"samples\",\"time\":{\"column\":\"time\",\"unit\":\"* Mon DD hh:mm:ss YYYY\"},"
     "\"gpu\":\"gpu\",\"metrics\":{\"power_w\":{\"column\":\"power\",\"unit\":\"W\"},"
     "\"temp_c\":{\"column\":\"temp\",\"unit\":\"C\"},\"gpu_util_pct\":{\"column\":\"gpu_util\","
     "\"unit\":\"%\"},\"mem_used_mib\":{\"column\":\"memory_used\",\"unit\":\"MiB\"}}}"},
    {"nvidia-smi-q", "Timestamp|Power Readings.Power Draw", NULL,
     "{\"role\":\"samples\",\"time\":{\"column\":\"Timestamp\",\"unit\":\"* Mon DD hh:mm:ss YYYY\"},"
     "\"gpu\":\"GPU UUID\",\"metrics\":{\"power_w\":{\"column\":\"Power Readings.Power Draw\","
     "\"unit\":\"W\"},\"temp_c\":{\"column\":\"Temperature.GPU Current Temp\",\"unit\":\"C\"},"
     "\"gpu_util_pct\":{\"column\":\"Utilization.Gpu\",\"unit\":\"%\"},"
     "\"mem_util_pct\":{\"column\":\"Utilization.Memory\",\"unit\":\"%\"},"
     "\"mem_used_mib\":{\"column\":\"FB Memory Usage.Used\",\"unit\":\"MiB\"},"
     "\"sm_clock_mhz\":{\"column\":\"Clocks.SM\",\"unit\":\"MHz\"}}}"},
    {"nvidia-smi-q", "Timestamp|GPU Power Readings.Power Draw", NULL,
     "{\"role\":\"samples\",\"time\":{\"column\":\"Timestamp\",\"unit\":\"* Mon DD hh:mm:ss YYYY\"},"
     "\"gpu\":\"GPU UUID\",\"metrics\":{\"power_w\":{\"column\":\"GPU Power Readings.Power Draw\","
     "\"unit\":\"W\"},\"temp_c\":{\"column\":\"Temperature.GPU Current Temp\",\"unit\":\"C\"},"
     "\"gpu_util_pct\":{\"column\":\"Utilization.Gpu\",\"unit\":\"%\"},"
     "\"mem_util_pct\":{\"column\":\"Utilization.Memory\",\"unit\":\"%\"},"
     "\"mem_used_mib\":{\"column\":\"FB Memory Usage.Used\",\"unit\":\"MiB\"},"
     "\"sm_clock_mhz\":{\"column\":\"Clocks.SM\",\"unit\":\"MHz\"}}}"},
};
/* clang-format on */

/* "COLUMN" is there, or "COLUMN=VALUE" in some row. */
static bool is_there(const struct gs_preview *h, struct gs_str condition)
{
    size_t eq = 0;
    while (eq < condition.len && condition.ptr[eq] != '=')
        eq++;
    const struct gs_str name = {condition.ptr, eq};
    uint32_t column = 0;
    while (column < h->n_columns && !gs_str_eq(h->column[column], name))
        column++;
    if (column == h->n_columns || eq == condition.len)
        return column < h->n_columns;
    const struct gs_str value = {condition.ptr + eq + 1, condition.len - eq - 1};
    for (size_t i = 0; i < h->n_rows; i++) {
        const struct gs_str cell = gs_preview_cell(h, i, column);
        if (cell.ptr != NULL && gs_str_eq(cell, value))
            return true;
    }
    return false;
}

/* How many of the conditions hold, 0 unless all do. */
static size_t contains(const struct gs_preview *h, const char *conditions, bool all)
{
    size_t n = 0;
    for (const char *p = conditions; p != NULL; n++) {
        const char *const bar = strchr(p, '|');
        const struct gs_str one = {p, bar == NULL ? strlen(p) : (size_t)(bar - p)};
        if (is_there(h, one) != all)
            return all ? 0 : 1;
        p = bar == NULL ? NULL : bar + 1;
    }
    return all ? n : 0;
}

static bool columns_there(const struct gs_preview *h, const struct gs_map_value *v)
{
    for (size_t i = 0; i < v->column.n; i++) {
        uint32_t k = 0;
        while (k < h->n_columns && !gs_str_eq(h->column[k], v->column.item[i]))
            k++;
        if (k == h->n_columns)
            return false;
    }
    bool any = v->kind != GS_VALUE_COLUMNS;
    for (uint32_t k = 0; k < h->n_columns && !any; k++)
        any = gs_pattern_match(v->text, h->column[k], NULL);
    return any;
}

static void leave_out_absent(const struct gs_preview *h, struct gs_map_fields *f)
{
    size_t n = 0;
    for (size_t i = 0; i < f->n; i++)
        if (columns_there(h, &f->item[i].value))
            f->item[n++] = f->item[i];
    f->n = n;
}

/* Is the column what a value is made of, or a number of jobs that one is? */
static bool is_used(const struct gs_source *s, struct gs_str column)
{
    const struct gs_map_value *const used[] = {&s->event, &s->start, &s->stop, &s->duration,
                                               &s->host,  &s->job,   &s->task};
    static const char *const ids[] = {"JobID", "JobIDRaw", "Step"};
    for (size_t k = 0; k < sizeof used / sizeof *used; k++)
        if (gs_texts_contain(&used[k]->column, column))
            return true;
    for (size_t k = 0; k < sizeof ids / sizeof *ids; k++)
        if (gs_str_eq(column, gs_str(ids[k])))
            return true;
    return false;
}

/* Every other column is an attribute, called as it is in small letters: sites ask for what they need. */
static bool add_rest(const struct gs_preview *h, struct gs_source *s, struct gs_arena *arena)
{
    for (uint32_t i = 0; i < h->n_columns; i++) {
        const struct gs_str column = h->column[i];
        if (is_used(s, column))
            continue;
        char *const name = gs_arena_copy(arena, column.ptr, column.len);
        for (size_t k = 0; name != NULL && k < column.len; k++)
            if (name[k] >= 'A' && name[k] <= 'Z')
                name[k] = (char)(name[k] - 'A' + 'a');
        struct gs_map_field *const f =
            name == NULL ? NULL : gs_guess_metric(&s->attributes, name, arena);
        if (f == NULL || !gs_guess_column(&f->value, column, arena))
            return false;
    }
    return true;
}

enum gs_status gs_profiles_apply(const struct gs_preview *h, struct gs_map *map,
                                 struct gs_arena *arena, struct gs_err *err)
{
    for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++) {
        const struct profile *const p = &profiles[i];
        struct gs_map one = {0};
        struct gs_buf text = {.arena = arena};
        if (strcmp(p->form, h->form->name) != 0 || contains(h, p->needs, true) == 0 ||
            (p->unless != NULL && contains(h, p->unless, false) != 0))
            continue;
        gs_buf_text(&text, "{\"schema\":\"gpustat.map/1\",\"sources\":[");
        gs_buf_text(&text, p->source);
        gs_buf_text(&text, "]}");
        if (text.failed)
            return gs_fail_memory(err);
        const enum gs_status s = gs_map_parse(gs_buf_str(&text), "a profile", arena, &one, err);
        if (s != GS_OK)
            return s;
        struct gs_source *const to = gs_map_add(map, arena);
        if (to == NULL)
            return gs_fail_memory(err);
        *to = one.source[0];
        to->form = gs_str(p->form);
        leave_out_absent(h, &to->metrics);
        leave_out_absent(h, &to->attributes);
        struct gs_map_value *const optional[] = {&to->time, &to->host, &to->gpu,
                                                 &to->job,  &to->task, &to->duration};
        for (size_t k = 0; k < sizeof optional / sizeof *optional; k++)
            if (!columns_there(h, optional[k]))
                *optional[k] = (struct gs_map_value){0};
        if (h->form->is_of_jobs && !add_rest(h, to, arena))
            return gs_fail_memory(err);
    }
    return GS_OK;
}
