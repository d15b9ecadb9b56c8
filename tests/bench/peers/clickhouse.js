// clickhouse.js COMMANDS DIR THREADS - the tables of gpustat's commands ("events,gpus") by ClickHouse in this process.
// Tuned: structures are given, only the columns needed are converted, hosts are dictionary-coded, tables are in memory.
'use strict';
const { Session } = require('chdb');
const { write } = require('./write.js');
const [commands, dir, threads] = process.argv.slice(2);
const wanted = commands.split(',');
const metrics = { power_mean_w: 'p', temp_mean_c: 'k', gpu_util_mean_pct: 'u', mem_util_mean_pct: 'm' };

const csv = (file, structure) => `file('${dir.replace(/'/g, "\\'")}/${file}', 'CSVWithNames', '${structure}')`;
const gpu = csv('gpu.csv', `timestamp DateTime64(3, \\'UTC\\'), hostname LowCardinality(String), gpuSerial LowCardinality(String),
  gpuUUID LowCardinality(String), powerDrawWatt Float64, gpuTempC Float64, gpuUtilPerc Float64, gpuMemUtilPerc Float64`);
const checkpoints = csv('application-checkpoints.csv', `timestamp DateTime64(3, \\'UTC\\'), hostname LowCardinality(String),
  eventName LowCardinality(String), eventType LowCardinality(String), jobId LowCardinality(String), taskId String`);
const tasks = csv('task-x-y.csv', 'taskId String, jobId LowCardinality(String), x Int32, y Int32, level Int32');

const joins = wanted.includes('events') || wanted.includes('zoom');
const perGpu = wanted.includes('gpus') || wanted.includes('correlate');
const onlyRenders = !wanted.includes('events');
const settings = `SETTINGS max_threads = ${threads}, date_time_input_format = 'best_effort', join_algorithm = 'hash',
  input_format_parallel_parsing = 1, max_insert_threads = ${threads}`;
const ms = (c) => `toUnixTimestamp64Milli(${c})`;

// The k-th START with the k-th STOP of a key.
const pairs = `CREATE TABLE pr ENGINE = Memory AS SELECT h, e, j, i, s.1 AS a, s.2 AS z FROM (
    SELECT hostname AS h, eventName AS e, jobId AS j, taskId AS i,
      arraySort(groupArrayIf(${ms('timestamp')}, eventType = 'START')) AS starts,
      arraySort(groupArrayIf(${ms('timestamp')}, eventType = 'STOP')) AS stops, least(length(starts), length(stops)) AS n,
      arrayZip(arraySlice(starts, 1, n), arraySlice(stops, 1, n)) AS zipped
    FROM ${checkpoints} ${onlyRenders ? "WHERE eventName = 'TotalRender'" : ''} GROUP BY h, e, j, i)
  ARRAY JOIN zipped AS s ${settings}`;
const samples = (names) => `SELECT ${ms('timestamp')} AS t, hostname AS h, ${names}powerDrawWatt AS p, gpuTempC AS k,
  gpuUtilPerc AS u, gpuMemUtilPerc AS m FROM ${gpu}`;
const first = 'f.t = 0 OR (b.t != 0 AND c.t - b.t <= f.t - c.t)';
const nearest = [
  `CREATE TABLE ti ENGINE = Memory AS SELECT h, t FROM (SELECT h, a AS t FROM pr UNION ALL SELECT h, z AS t FROM pr) GROUP BY h, t ${settings}`,
  `CREATE TABLE n ENGINE = Memory AS SELECT c.h AS h, c.t AS t, ${Object.values(metrics).map((v) => `if(${first}, b.${v}, f.${v}) AS ${v}`)}
     FROM ti AS c ASOF LEFT JOIN g AS b ON c.h = b.h AND c.t >= b.t ASOF LEFT JOIN g AS f ON c.h = f.h AND c.t <= f.t ${settings}`,
  `CREATE TABLE joined ENGINE = Memory AS SELECT pr.e AS e, pr.j AS j, pr.i AS i, pr.z - pr.a AS d,
     ${Object.values(metrics).map((v) => `(s.${v} + o.${v}) / 2 AS ${v}`)}
     FROM pr INNER JOIN n AS s ON s.h = pr.h AND s.t = pr.a INNER JOIN n AS o ON o.h = pr.h AND o.t = pr.z ${settings}`];
const columns = `count() AS n, avg(d) AS duration_mean_ms, if(n < 2, NULL, stddevSampStable(d)) AS duration_sd_ms, min(d) AS duration_min_ms,
  quantilesExactInclusive(0.5, 0.95, 0.99)(d) AS q, q[1] AS duration_p50_ms, q[2] AS duration_p95_ms, q[3] AS duration_p99_ms,
  max(d) AS duration_max_ms, ${Object.entries(metrics).map(([n, v]) => `avg(${v}) AS ${n}`)}`;
const gpus = `CREATE TABLE gp ENGINE = Memory AS SELECT s.h AS hostname, sn AS gpu_serial, id AS gpu_uuid, samples, ${Object.keys(metrics)},
    tasks, total_render_mean_s
  FROM (SELECT h, sn, id, count() AS samples, ${Object.entries(metrics).map(([n, v]) => `avg(${v}) AS ${n}`)} FROM g GROUP BY h, sn, id) AS s
  LEFT JOIN (SELECT h, count() AS tasks, avg(z - a) / 1000 AS total_render_mean_s FROM pr WHERE e = 'TotalRender' GROUP BY h) AS r
  ON s.h = r.h ${settings}`;
const short = { power_w: 'power_mean_w', temp_c: 'temp_mean_c', gpu_util_pct: 'gpu_util_mean_pct', mem_util_pct: 'mem_util_mean_pct' };
// rankCorr does without the correction for ties.
const midrank = (c) => `rank() OVER (ORDER BY ${c}) + (count() OVER (PARTITION BY ${c}) - 1) / 2`;
const correlate = Object.entries(short).map(([name, c]) => `SELECT '${name}' AS metric, count() AS n, corrStable(y, x) AS pearson_r,
  corrStable(rx, ry) AS spearman_rho, covarPopStable(y, x) / varPopStable(x) AS slope, avg(y) - slope * avg(x) AS intercept,
  pow(pearson_r, 2) AS r_squared FROM (SELECT ${c} AS x, total_render_mean_s AS y, ${midrank('x')} AS rx, ${midrank('y')} AS ry FROM gp)`).join(' UNION ALL ');

const answer = {
  events: `SELECT e AS event, ${columns} FROM joined GROUP BY e ORDER BY e`,
  zoom: `SELECT level, ${columns} FROM joined INNER JOIN ${tasks} AS t ON t.taskId = joined.i AND t.jobId = joined.j
         WHERE e = 'TotalRender' GROUP BY level ORDER BY level`,
  gpus: 'SELECT * FROM gp ORDER BY hostname, gpu_serial, gpu_uuid',
  correlate: `SELECT * FROM (${correlate})`,
};

const session = new Session();
if (joins || perGpu) session.query(pairs);
// Read once where more than one query needs it, else streamed.
session.query(`CREATE ${joins ? 'TABLE g ENGINE = Memory' : 'VIEW g'} AS ${samples(perGpu ? 'gpuSerial AS sn, gpuUUID AS id, ' : '')} ${joins ? settings : ''}`);
if (joins) nearest.forEach((statement) => session.query(statement));
if (perGpu) session.query(gpus);
for (const name of wanted) {
  const r = JSON.parse(session.query(`${answer[name]} ${settings}, output_format_json_quote_64bit_integers = 0`, 'JSONCompact'));
  const shown = r.meta.map((c, at) => ({ name: c.name, at })).filter((c) => c.name !== 'q');
  write(name, shown.map((c) => c.name), r.data.map((row) => shown.map((c) => row[c.at])));
}
session.close();
