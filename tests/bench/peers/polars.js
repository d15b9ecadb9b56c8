// polars.js COMMANDS DIR THREADS - the tables of gpustat's commands ("events,gpus") by polars (nodejs-polars).
// Tuned: only the columns needed are read, lazily; times become whole milliseconds; hosts are joined as numbers.
'use strict';
const pl = require('nodejs-polars');
const { write } = require('./write.js');
const [commands, dir] = process.argv.slice(2); // threads: POLARS_MAX_THREADS
const wanted = commands.split(',');
const { col } = pl;
const metrics = { power_mean_w: 'p', temp_mean_c: 'k', gpu_util_mean_pct: 'u', mem_util_mean_pct: 'm' };
const joins = wanted.includes('events') || wanted.includes('zoom');
const perGpu = wanted.includes('gpus') || wanted.includes('correlate');

const ms = (c) => col(c).str.strptime(pl.Datetime('ms'), '%Y-%m-%dT%H:%M:%S%.3fZ').cast(pl.Int64);
const scan = (file) => pl.scanCSV(`${dir}/${file}`, { inferSchemaLength: 0 });
const number = (c, name) => col(c).cast(pl.Float64).alias(name);

let checkpoints = scan('application-checkpoints.csv');
if (!wanted.includes('events')) checkpoints = checkpoints.filter(col('eventName').eq(pl.lit('TotalRender')));
checkpoints = checkpoints.select(ms('timestamp').alias('t'), col('hostname').alias('h'), col('eventName').alias('e'),
  col('eventType').alias('y'), col('jobId').alias('j'), col('taskId').alias('i'));

// The k-th START with the k-th STOP of a key.
const lists = checkpoints.groupBy(['h', 'j', 'i', 'e'], false).agg(
  col('t').filter(col('y').eq(pl.lit('START'))).sort().alias('a'),
  col('t').filter(col('y').eq(pl.lit('STOP'))).sort().alias('z')).collectSync();
const n = lists.select(col('a').lst.lengths().alias('a'), col('z').lst.lengths().alias('z'));
if (!n.getColumn('a').seriesEqual(n.getColumn('z'))) throw new Error('orphans: these would have to be cut off first');
let pairs = lists.explode('a', 'z');

const gpu = scan('gpu.csv').select(...(joins ? [ms('timestamp').alias('t')] : []), col('hostname').alias('h'),
  ...(perGpu ? [col('gpuSerial').alias('sn'), col('gpuUUID').alias('id')] : []), number('powerDrawWatt', 'p'),
  number('gpuTempC', 'k'), number('gpuUtilPerc', 'u'), number('gpuMemUtilPerc', 'm')).collectSync();

if (joins) {
  const hosts = pairs.select('h').unique().withRowIndex('base').withColumn(col('base').mul(2 ** 44).cast(pl.Int64));
  pairs = pairs.join(hosts, { on: 'h' }).withColumns(col('base').add(col('a')).alias('ka'), col('base').add(col('z')).alias('kz'));
  const samples = gpu.join(hosts, { on: 'h' }).withColumn(col('base').add(col('t')).alias('kk')).sort('kk')
    .select('kk', col('base').alias('sb'), col('kk').alias('st'), ...Object.values(metrics));
  const at = pl.concat([pairs.select('base', col('ka').alias('t')), pairs.select('base', col('kz').alias('t'))]).unique().sort('t');
  const side = (strategy, name) => at.joinAsof(samples, { leftOn: 't', rightOn: 'kk', strategy })
    .select(col('st').alias(`st_${name}`), col('sb').alias(`sb_${name}`), ...Object.values(metrics).map((c) => col(c).alias(`${c}_${name}`)));
  const both = pl.concat([at, side('backward', 'b'), side('forward', 'f')], { how: 'horizontal' });
  const here = (c) => col(c).eq(col('base')).fillNull(false);
  const earlier = here('sb_b').and(here('sb_f').not().or(col('t').sub(col('st_b')).ltEq(col('st_f').sub(col('t'))).fillNull(true)));
  const near = both.withColumn(earlier.alias('first')).select('t', ...Object.values(metrics).map((c) =>
    pl.when(col('first')).then(col(`${c}_b`)).otherwise(col(`${c}_f`)).alias(c)));
  pairs = pairs.join(near, { leftOn: 'ka', rightOn: 't' }).join(near, { leftOn: 'kz', rightOn: 't', suffix: '_z' })
    .withColumns(col('z').sub(col('a')).alias('d'), ...Object.values(metrics).map((c) => col(c).add(col(`${c}_z`)).div(2).alias(c)));
}

const d = col('d');
const columns = [d.count().alias('n'), d.mean().alias('duration_mean_ms'), d.std().alias('duration_sd_ms'),
  d.min().alias('duration_min_ms'), d.quantile(0.5, 'linear').alias('duration_p50_ms'),
  d.quantile(0.95, 'linear').alias('duration_p95_ms'), d.quantile(0.99, 'linear').alias('duration_p99_ms'),
  d.max().alias('duration_max_ms'), ...Object.entries(metrics).map(([name, c]) => col(c).mean().alias(name))];
const renders = pairs.filter(col('e').eq(pl.lit('TotalRender')));
const per = perGpu ? gpu.groupBy(['h', 'sn', 'id']).agg(pl.count('p').alias('samples'),
  ...Object.entries(metrics).map(([name, c]) => col(c).mean().alias(name)))
  .join(renders.groupBy('h').agg(pl.count('i').alias('tasks'), col('z').sub(col('a')).mean().div(1000).alias('total_render_mean_s')),
    { on: 'h', how: 'left' }) : null;

// Over one row per GPU, in plain numbers: polars has no slope.
const line = (metric, x, y) => {
  const count = x.length, mean = (v) => v.reduce((s, w) => s + w, 0) / v.length;
  const moments = (p, q) => {
    const mp = mean(p), mq = mean(q);
    let pp = 0, qq = 0, pq = 0;
    for (let k = 0; k < count; k++) { pp += (p[k] - mp) ** 2; qq += (q[k] - mq) ** 2; pq += (p[k] - mp) * (q[k] - mq); }
    return { r: pq / Math.sqrt(pp * qq), slope: pq / pp, intercept: mq - (pq / pp) * mp };
  };
  const ranks = (v) => pl.Series('v', v).rank('average').toArray();
  const m = moments(x, y);
  return [metric, count, m.r, moments(ranks(x), ranks(y)).r, m.slope, m.intercept, m.r * m.r];
};
const print = (name, frame, names) => write(name, names, frame.select(...names).rows());
const statistics = ['n', 'duration_mean_ms', 'duration_sd_ms', 'duration_min_ms', 'duration_p50_ms', 'duration_p95_ms',
  'duration_p99_ms', 'duration_max_ms', ...Object.keys(metrics)];
const answer = {
  events: () => print('events', pairs.groupBy('e').agg(...columns).rename({ e: 'event' }).sort('event'), ['event', ...statistics]),
  zoom: () => {
    const tasks = scan('task-x-y.csv').select(col('taskId').alias('i'), col('jobId').alias('j'), col('level').cast(pl.Int64)).collectSync();
    print('zoom', renders.join(tasks, { on: ['i', 'j'] }).groupBy('level').agg(...columns).sort('level'), ['level', ...statistics]);
  },
  gpus: () => print('gpus', per.rename({ h: 'hostname', sn: 'gpu_serial', id: 'gpu_uuid' }).sort('hostname'),
    ['hostname', 'gpu_serial', 'gpu_uuid', 'samples', ...Object.keys(metrics), 'tasks', 'total_render_mean_s']),
  correlate: () => {
    const y = per.getColumn('total_render_mean_s').toArray();
    const short = { power_w: 'power_mean_w', temp_c: 'temp_mean_c', gpu_util_pct: 'gpu_util_mean_pct', mem_util_pct: 'mem_util_mean_pct' };
    write('correlate', ['metric', 'n', 'pearson_r', 'spearman_rho', 'slope', 'intercept', 'r_squared'],
      Object.entries(short).map(([name, c]) => line(name, per.getColumn(c).toArray(), y)));
  },
};
for (const name of wanted) answer[name]();
