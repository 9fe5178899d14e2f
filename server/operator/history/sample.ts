/** The state of an instance in an interval, and the combination of several intervals. */
import { type Latencies, latencyAt, mergeLatencies, type WindowRequests } from '@greenroom/http';

/** Values that are not counted but read; null if they could not be read. */
export interface Readings {
  /** Share of one processor core that the process used. */
  cpu: number | null;
  memoryBytes: number | null;
  /** Open connections of the database. */
  databaseConnections: number | null;
  databaseBytes: number | null;
  /** Content of the objects in the storage. */
  fileBytes: number | null;
  /** Open sockets of realtime. */
  sockets: number | null;
}

/** An interval. */
export interface Sample extends Readings {
  /** Start of the interval, in seconds since 1970. */
  time: number;
  requests: number;
  clientErrors: number;
  serverErrors: number;
  /** Number of requests and of server errors by service, for services with requests. */
  services: Readonly<Record<string, readonly [requests: number, serverErrors: number]>>;
  /** Latencies in ms; null without requests. */
  p50: number | null;
  p95: number | null;
  p99: number | null;
  /** Messages that realtime delivered. */
  events: number | null;
}

/** A sample that can be combined with others. */
export interface FullSample extends Sample {
  latencies: Latencies;
}

/** Values of {@link createSample}. */
interface SampleValues extends Readings {
  time: number;
  events: number | null;
}

/** Creates the sample of an interval. */
export function createSample(values: SampleValues, { services, latencies }: WindowRequests): FullSample {
  const all = Object.entries(services);
  const sum = (read: (counts: (typeof services)[string]) => number) =>
    all.reduce((total, [, counts]) => total + read(counts), 0);
  return {
    ...values,
    requests: sum(({ requests }) => requests),
    clientErrors: sum(({ clientErrors }) => clientErrors),
    serverErrors: sum(({ serverErrors }) => serverErrors),
    services: Object.fromEntries(
      all.map(([name, { requests, serverErrors }]) => [name, [requests, serverErrors] as const]),
    ),
    ...percentilesOf(latencies),
    latencies,
  };
}

/** Combines samples to one that begins at `time`: counts are added, readings are averaged. */
export function mergeSamples(time: number, samples: readonly FullSample[]): FullSample {
  const latencies = mergeLatencies(samples.map((sample) => sample.latencies));
  const total = (read: (sample: FullSample) => number | null) => sumOf(samples.map(read)) ?? 0;
  const average = (name: keyof Readings) => averageOf(samples.map((sample) => sample[name]));
  return {
    time,
    requests: total(({ requests }) => requests),
    clientErrors: total(({ clientErrors }) => clientErrors),
    serverErrors: total(({ serverErrors }) => serverErrors),
    services: mergeServices(samples),
    ...percentilesOf(latencies),
    events: sumOf(samples.map(({ events }) => events)),
    cpu: average('cpu'),
    memoryBytes: average('memoryBytes'),
    databaseConnections: average('databaseConnections'),
    databaseBytes: average('databaseBytes'),
    fileBytes: average('fileBytes'),
    sockets: average('sockets'),
    latencies,
  };
}

/** Returns the sample without the values that only combinations need. */
export function withoutLatencies({ latencies: _, ...sample }: FullSample): Sample {
  return sample;
}

function percentilesOf(latencies: Latencies): Pick<Sample, 'p50' | 'p95' | 'p99'> {
  return {
    p50: latencyAt(0.5, latencies),
    p95: latencyAt(0.95, latencies),
    p99: latencyAt(0.99, latencies),
  };
}

function mergeServices(samples: readonly FullSample[]): Sample['services'] {
  const merged: Record<string, [number, number]> = {};
  for (const { services } of samples)
    for (const [name, [requests, serverErrors]] of Object.entries(services)) {
      const [allRequests, allErrors] = merged[name] ?? [0, 0];
      merged[name] = [allRequests + requests, allErrors + serverErrors];
    }
  return merged;
}

function sumOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

function averageOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  const sum = sumOf(known);
  // Three digits behind the point suffice for shares; sizes and numbers are larger.
  return sum === null ? null : Math.round((sum / known.length) * 1000) / 1000;
}
