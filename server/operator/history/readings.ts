/** Reads the values of a sample from the process, the database and the metrics of services. */
import type { Database } from '@greenroom/postgres';
import type { OpenService } from '@greenroom/service';
import type { Readings } from './sample.ts';

/** Sizes change slowly, and reading them costs more than the number of connections. */
const SIZES_MS = 60_000;
const SOCKETS = 'greenroom_realtime_sockets';
const DELIVERED = 'greenroom_realtime_messages_delivered_total';

/** Sources of {@link createReader}. */
export interface ReadingSources {
  database: Pick<Database, 'query'>;
  services: readonly Pick<OpenService, 'metrics'>[];
}

/** The values, and the number of messages since the last ones. */
type ReadValues = Readings & { events: number | null };

interface Sizes {
  database_bytes: number;
  file_bytes: number;
}

/** Creates a function that reads the values of the time since its last call. It never rejects. */
export function createReader({ database, services }: ReadingSources): () => Promise<ReadValues> {
  let lastCpu = process.cpuUsage();
  let lastTime = performance.now();
  let lastDelivered: number | null = null;
  let sizes: Sizes | undefined;
  let sizesAt = Number.NEGATIVE_INFINITY;

  function readCpu(): number {
    const { user, system } = process.cpuUsage(lastCpu);
    const now = performance.now();
    const share = (user + system) / 1000 / (now - lastTime);
    lastCpu = process.cpuUsage();
    lastTime = now;
    return Math.round(share * 1000) / 1000;
  }

  async function readSizes(): Promise<Sizes | undefined> {
    if (performance.now() - sizesAt < SIZES_MS) return sizes;
    sizesAt = performance.now();
    const text = `select pg_database_size(current_database())::float8 as database_bytes,
      (select coalesce(sum(bytes), 0)::float8 from storage.usage where scope = 'total') as file_bytes`;
    sizes = await firstRow<Sizes>(database, text);
    return sizes;
  }

  async function readEvents(): Promise<number | null> {
    const delivered = await metricOf(services, DELIVERED);
    const events =
      delivered === null || lastDelivered === null ? null : Math.max(0, delivered - lastDelivered);
    lastDelivered = delivered;
    return events;
  }

  return async () => {
    const cpu = readCpu();
    const text =
      'select count(*)::int as connections from pg_stat_activity where datname = current_database()';
    const connections = await firstRow<{ connections: number }>(database, text);
    const { database_bytes: databaseBytes = null, file_bytes: fileBytes = null } = (await readSizes()) ?? {};
    return {
      cpu,
      memoryBytes: process.memoryUsage.rss(),
      databaseConnections: connections?.connections ?? null,
      databaseBytes,
      fileBytes,
      sockets: await metricOf(services, SOCKETS),
      events: await readEvents(),
    };
  };
}

/** Undefined while the database does not respond. */
async function firstRow<Row extends object>(
  database: Pick<Database, 'query'>,
  text: string,
): Promise<Row | undefined> {
  const rows = await database.query<Row>({ text }).catch(() => []);
  return rows[0];
}

/** Returns the sum of a metric over its labels; null if no service has it. */
async function metricOf(services: ReadingSources['services'], name: string): Promise<number | null> {
  for (const { metrics } of services) {
    const found = await metrics?.getSingleMetric(name)?.get();
    if (found) return found.values.reduce((sum, { value }) => sum + value, 0);
  }
  return null;
}
