// duckdb.js COMMANDS DIR THREADS - the tables of gpustat's commands ("events,gpus") by DuckDB.
// Tuned: columns and types are given, only those needed are converted; host and time become one 64-bit key, on which
// DuckDB's as-of join sorts several times faster than on (text, timestamp).
'use strict';
const { DuckDBInstance } = require('@duckdb/node-api');
const { write } = require('./write.js');
const [commands, dir, threads] = process.argv.slice(2);
const wanted = commands.split(',');
const metrics = { power_mean_w: 'p', temp_mean_c: 'k', gpu_util_mean_pct: 'u', mem_util_mean_pct: 'm' };

const csv = (file, columns) =>
  `read_csv('${dir.replace(/'/g, "''")}/${file}', header = true, auto_detect = false, delim = ',', quote = '"',
   escape = '"', new_line = '\\n', columns = {${Object.entries(columns).map(([n, t]) => `'${n}': '${t}'`)}})`;
const gpu = csv('gpu.csv', {
  timestamp: 'TIMESTAMP', hostname: 'VARCHAR', gpuSerial: 'VARCHAR', gpuUUID: 'VARCHAR', powerDrawWatt: 'DOUBLE',
  gpuTempC: 'DOUBLE', gpuUtilPerc: 'DOUBLE', gpuMemUtilPerc: 'DOUBLE' });
const checkpoints = csv('application-checkpoints.csv', {
  timestamp: 'TIMESTAMP', hostname: 'VARCHAR', eventName: 'VARCHAR', eventType: 'VARCHAR', jobId: 'VARCHAR', taskId: 'VARCHAR' });
const tasks = csv('task-x-y.csv', { taskId: 'VARCHAR', jobId: 'VARCHAR', x: 'INTEGER', y: 'INTEGER', level: 'INTEGER' });

const joins = wanted.includes('events') || wanted.includes('zoom');
const perGpu = wanted.includes('gpus') || wanted.includes('correlate');
const onlyRenders = !wanted.includes('events');
const values = 'powerDrawWatt p, gpuTempC k, gpuUtilPerc u, gpuMemUtilPerc m';

// The k-th START with the k-th STOP of a key.
const pairs = `CREATE TEMP TABLE pr AS WITH l AS (
    SELECT hostname h, eventName e, jobId j, taskId i, list_sort(list(timestamp) FILTER (eventType = 'START')) a,
           list_sort(list(timestamp) FILTER (eventType = 'STOP')) z
    FROM ${checkpoints} ${onlyRenders ? "WHERE eventName = 'TotalRender'" : ''}
    GROUP BY hostname, eventName, jobId, taskId)
  SELECT h, e, j, i, unnest(a[1:least(len(a), len(z))]) a, unnest(z[1:least(len(a), len(z))]) z FROM l`;
const hosts = 'CREATE TEMP TABLE ho AS SELECT h, (row_number() OVER ())::BIGINT << 44 base FROM (SELECT DISTINCT h FROM pr)';
// A key is host << 44 | milliseconds: these reach to the year 2527. Read once where more than one query needs the
// samples, else streamed.
const table = (name) => (joins
  ? `CREATE TEMP TABLE g AS SELECT base + epoch_ms(timestamp) kk, ${name}${values} FROM ${gpu} LEFT JOIN ho ON h = hostname`
  : `CREATE TEMP VIEW g AS SELECT ${name}${values} FROM ${gpu}`);
const earlier = 'xt >> 44 = b.t >> 44 AND (y.kk IS NULL OR y.kk >> 44 <> b.t >> 44 OR b.t - xt <= y.kk - b.t)';
const nearest = [
  `CREATE TEMP TABLE pk AS SELECT e, j, i, base + epoch_ms(a) a, base + epoch_ms(z) z FROM pr JOIN ho USING (h)`,
  `CREATE TEMP TABLE ti AS SELECT t FROM (SELECT a t FROM pk UNION ALL SELECT z FROM pk) GROUP BY t`,
  `CREATE TEMP TABLE b AS SELECT ti.t, x.kk xt, x.p, x.k, x.u, x.m FROM ti ASOF LEFT JOIN g x ON ti.t >= x.kk`,
  `CREATE TEMP TABLE n AS SELECT b.t, ${Object.values(metrics).map((c) => `CASE WHEN ${earlier} THEN b.${c} ELSE y.${c} END ${c}`)}
     FROM b ASOF LEFT JOIN g y ON b.t <= y.kk`,
  `CREATE TEMP TABLE joined AS SELECT e, j, i, z - a d, ${Object.values(metrics).map((c) => `(s.${c} + n.${c}) / 2 ${c}`)}
     FROM pk JOIN n s ON s.t = pk.a JOIN n ON n.t = pk.z`];
const columns = `count(*) n, avg(d) duration_mean_ms, stddev_samp(d) duration_sd_ms, min(d) duration_min_ms,
  quantile_cont(d, 0.5) duration_p50_ms, quantile_cont(d, 0.95) duration_p95_ms, quantile_cont(d, 0.99) duration_p99_ms,
  max(d) duration_max_ms, ${Object.entries(metrics).map(([n, c]) => `avg(${c}) ${n}`)}`;
const gpus = `CREATE TEMP TABLE gp AS WITH r AS (
    SELECT h, count(*) tasks, avg(epoch_ms(z) - epoch_ms(a)) / 1000 total_render_mean_s FROM pr WHERE e = 'TotalRender' GROUP BY h),
  s AS (SELECT h, sn, id, count(*) samples, ${Object.entries(metrics).map(([n, c]) => `avg(${c}) ${n}`)} FROM g GROUP BY h, sn, id)
  SELECT h hostname, sn gpu_serial, id gpu_uuid, samples, ${Object.keys(metrics)}, tasks, total_render_mean_s FROM s LEFT JOIN r USING (h)`;
const short = { power_w: 'power_mean_w', temp_c: 'temp_mean_c', gpu_util_pct: 'gpu_util_mean_pct', mem_util_pct: 'mem_util_mean_pct' };
const midrank = (c) => `rank() OVER (ORDER BY ${c}) + (count(*) OVER (PARTITION BY ${c}) - 1) / 2`;
const correlate = Object.entries(short).map(([name, c]) => `SELECT '${name}' metric, count(*) n,
  corr(y, x) pearson_r, corr(ry, rx) spearman_rho, regr_slope(y, x) slope, regr_intercept(y, x) intercept, regr_r2(y, x) r_squared
  FROM (SELECT ${c} x, total_render_mean_s y, ${midrank(c)} rx, ${midrank('total_render_mean_s')} ry FROM gp)`).join(' UNION ALL ');

const answer = {
  events: `SELECT e AS event, ${columns} FROM joined GROUP BY e ORDER BY e`,
  zoom: `SELECT level, ${columns} FROM joined LEFT JOIN ${tasks} t ON t.taskId = i AND t.jobId = j WHERE e = 'TotalRender' GROUP BY level ORDER BY level`,
  gpus: 'SELECT * FROM gp ORDER BY hostname, gpu_serial, gpu_uuid',
  correlate,
};

(async () => {
  const limit = process.env.BENCH_PEER_MEMORY; // as --peer-memory gives it; DuckDB then uses the disk
  const instance = await DuckDBInstance.create(':memory:', {
    threads, preserve_insertion_order: 'false', ...(limit ? { memory_limit: limit, temp_directory: process.env.TMPDIR || '/tmp' } : {}) });
  const connection = await instance.connect();
  if (joins || perGpu) await connection.run(pairs);
  if (joins) await connection.run(hosts);
  await connection.run(table(perGpu ? 'hostname h, gpuSerial sn, gpuUUID id, ' : ''));
  if (joins) for (const statement of nearest) await connection.run(statement);
  if (perGpu) await connection.run(gpus);
  for (const name of wanted) {
    const r = await connection.runAndReadAll(answer[name]);
    write(name, r.columnNames(), r.getRows());
  }
})();
