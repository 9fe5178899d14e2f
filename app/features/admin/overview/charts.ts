/** The charts of the overview: their series, gaps, current values, and rows for their tables. */

/** The state of the instance in an interval, as `GET /operator/v1/history` returns it. */
export interface Sample {
  /** Start of the interval, in seconds since 1970. */
  time: number;
  requests: number;
  clientErrors: number;
  serverErrors: number;
  services: Readonly<Record<string, readonly [requests: number, serverErrors: number]>>;
  p50: number | null;
  p95: number | null;
  p99: number | null;
  events: number | null;
  cpu: number | null;
  memoryBytes: number | null;
  databaseConnections: number | null;
  databaseBytes: number | null;
  fileBytes: number | null;
  sockets: number | null;
}

/** The samples of a range. */
export interface History {
  range: 'hour' | 'day' | 'week';
  /** Seconds from one sample to the next. */
  interval: number;
  samples: Sample[];
}

/** The unit of a chart's values. */
export type Unit = 'perSecond' | 'ms' | 'count' | 'share' | 'bytes';

/** The id of a series, which has a text. */
type SeriesId =
  | 'requests'
  | 'clientErrors'
  | 'serverErrors'
  | 'p50'
  | 'p95'
  | 'p99'
  | 'events'
  | 'sockets'
  | 'databaseConnections'
  | 'cpu'
  | 'memoryBytes'
  | 'databaseBytes'
  | 'fileBytes';

/** A line of a chart. */
export interface Series {
  /** A {@link SeriesId}, or the name of a service. */
  id: string;
  values: readonly (number | null)[];
}

/** A chart. All series have a value for each time. */
export interface Chart {
  id: ChartId;
  unit: Unit;
  times: readonly number[];
  series: readonly Series[];
}

/** The id of a chart, which has a title. */
type ChartId =
  | 'requests'
  | 'latency'
  | 'errors'
  | 'events'
  | 'sockets'
  | 'connections'
  | 'cpu'
  | 'memory'
  | 'sizes';

type Definition = readonly [id: ChartId, unit: Unit, series: readonly SeriesId[]];

const CHARTS: readonly Definition[] = [
  ['requests', 'perSecond', ['requests', 'clientErrors', 'serverErrors']],
  ['latency', 'ms', ['p50', 'p95', 'p99']],
  ['events', 'perSecond', ['events']],
  ['sockets', 'count', ['sockets']],
  ['connections', 'count', ['databaseConnections']],
  ['cpu', 'share', ['cpu']],
  ['memory', 'bytes', ['memoryBytes']],
  ['sizes', 'bytes', ['databaseBytes', 'fileBytes']],
];
/** Series that are numbers of an interval. */
const COUNTED: ReadonlySet<SeriesId> = new Set(['requests', 'clientErrors', 'serverErrors', 'events']);
/** A longer pause is a gap: the instance did not run. */
const GAP_INTERVALS = 2.5;

/** Returns all charts of a range. */
export function chartsOf({ samples, interval }: History): Chart[] {
  const withGaps = insertGaps(samples, interval);
  const times = withGaps.map(({ time }) => time);
  const charts = CHARTS.map(
    ([id, unit, series]): Chart => ({
      id,
      unit,
      times,
      series: series.map((name) => ({
        id: name,
        values: withGaps.map((sample) => valueIn(sample, name, interval)),
      })),
    }),
  );
  return [...charts.slice(0, 2), errorsChart(withGaps, times, interval), ...charts.slice(2)];
}

/** Errors per second of each service that had any, or of all services together. */
function errorsChart(samples: readonly (Sample | Gap)[], times: readonly number[], interval: number): Chart {
  const names = new Set(
    samples.flatMap((sample) =>
      'gap' in sample
        ? []
        : Object.entries(sample.services).flatMap(([name, [, errors]]) => (errors > 0 ? [name] : [])),
    ),
  );
  const series = [...names].sort().map((name) => ({
    id: name,
    values: samples.map((sample) => ('gap' in sample ? null : (sample.services[name]?.[1] ?? 0) / interval)),
  }));
  const all = {
    id: 'serverErrors',
    values: samples.map((sample) => valueIn(sample, 'serverErrors', interval)),
  };
  return { id: 'errors', unit: 'perSecond', times, series: series.length > 0 ? series : [all] };
}

/** A place where lines are interrupted. */
interface Gap {
  time: number;
  gap: true;
}

function insertGaps(samples: readonly Sample[], interval: number): (Sample | Gap)[] {
  return samples.flatMap((sample, index) => {
    const last = samples[index - 1];
    const isAfterGap = last !== undefined && sample.time - last.time > GAP_INTERVALS * interval;
    return isAfterGap ? [{ time: last.time + interval, gap: true as const }, sample] : [sample];
  });
}

function valueIn(sample: Sample | Gap, id: SeriesId, interval: number): number | null {
  if ('gap' in sample) return null;
  const value = sample[id];
  return value !== null && COUNTED.has(id) ? value / interval : value;
}

/** Returns the last known value. */
export function currentValue({ values }: Series): number | null {
  return values.findLast((value) => value !== null) ?? null;
}

/** A row of a chart's table: the averages of a part of the range. */
interface ChartRow {
  time: number;
  values: (number | null)[];
}

const TABLE_ROWS = 12;

/** Returns the rows of a chart's table, oldest first. */
export function tableRows({ times, series }: Chart): ChartRow[] {
  const size = Math.max(1, Math.ceil(times.length / TABLE_ROWS));
  const starts = Array.from({ length: Math.ceil(times.length / size) }, (_, index) => index * size);
  return starts.map((start) => ({
    time: times[start] ?? 0,
    values: series.map(({ values }) => average(values.slice(start, start + size))),
  }));
}

function average(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}
