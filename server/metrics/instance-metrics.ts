/** Prometheus metrics of an instance: its version, its database, its pools, its disk and its outbox. */
import { statfs } from 'node:fs/promises';
import { CHANNELS, type OutboxDepth, outboxDepth } from '@greenroom/messages';
import type { Database, PoolList, PoolUsage } from '@greenroom/postgres';
import { cached } from '@greenroom/service';
import { Gauge, Registry } from 'prom-client';

/** Maximum ages of values: a scrape within this time runs no statement. */
const DATABASE_MS = 5000;
const OUTBOX_MS = 15_000;
const WAL_MS = 30_000;
const DISK_MS = 5000;

/** Sources of {@link createInstanceMetrics}. */
interface InstanceSources {
  version: string;
  pools: PoolList;
  /** Runs the statements. */
  database: Pick<Database, 'query'>;
  /** Whether the database has the tables of an instance. */
  hasOutbox: boolean;
  /** Data folder; undefined if the process has none. */
  folder: string | undefined;
}

type Query = Pick<Database, 'query'>;

/** Returns a registry whose gauges read their values when they are scraped. */
export function createInstanceMetrics(sources: InstanceSources): Registry {
  const registry = new Registry();
  const { version, pools, database, hasOutbox, folder } = sources;
  // First, so that pools are read before the statements of this scrape use them.
  addPools(registry, pools);
  addDatabase(registry, database, version);
  if (hasOutbox) addOutbox(registry, database);
  if (folder !== undefined) addDisk(registry, folder);
  return registry;
}

function addDatabase(registry: Registry, database: Query, version: string): void {
  const readVersion = cached(DATABASE_MS, () => serverVersion(database));
  const readWal = cached(WAL_MS, () => walBytes(database));
  const registers = [registry];
  let postgres = '';
  new Gauge({
    name: 'greenroom_build_info',
    help: 'Versions of Greenroom, Node.js and PostgreSQL; the value is always 1',
    labelNames: ['version', 'node', 'postgres'],
    registers,
    async collect() {
      // While the database does not respond, the version is the last known one.
      postgres = (await readVersion()) ?? postgres;
      this.reset();
      this.set({ version, node: process.versions.node, postgres }, 1);
    },
  });
  new Gauge({
    name: 'greenroom_postgres_up',
    help: 'Whether PostgreSQL responds within 2 seconds',
    registers,
    async collect() {
      this.set((await readVersion()) === undefined ? 0 : 1);
    },
  });
  new Gauge({
    name: 'greenroom_postgres_wal_bytes',
    help: 'Size of the write-ahead log; absent if the role of the instance may not read it',
    registers,
    async collect() {
      setOrRemove(this, await readWal());
    },
  });
}

async function serverVersion(database: Query): Promise<string> {
  const statement = { text: `select current_setting('server_version') as version` };
  const [row] = await database.query<{ version: string }>(statement);
  return (row?.version ?? '').split(' ', 1)[0] ?? '';
}

async function walBytes(database: Query): Promise<number> {
  const statement = { text: 'select sum(size)::float8 as bytes from pg_ls_waldir()' };
  const [row] = await database.query<{ bytes: number }>(statement);
  return row?.bytes ?? 0;
}

const POOL_GAUGES = [
  ['greenroom_pool_connections_max', 'Maximum number of connections of a pool', 'max'],
  ['greenroom_pool_connections_open', 'Open connections of a pool', 'open'],
  ['greenroom_pool_connections_used', 'Connections of a pool in use', 'used'],
  ['greenroom_pool_waiting', 'Callers that wait for a connection of a pool', 'waiting'],
] as const satisfies readonly (readonly [string, string, keyof PoolUsage])[];

function addPools(registry: Registry, pools: PoolList): void {
  for (const [name, help, key] of POOL_GAUGES)
    new Gauge({
      name,
      help,
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        this.reset();
        for (const usage of pools.usage()) this.set({ pool: usage.name }, usage[key]);
      },
    });
}

const OUTBOX_GAUGES = [
  ['greenroom_messages_queued', 'Mails and SMS that wait to be sent', 'queued'],
  ['greenroom_messages_oldest_seconds', 'Age of the oldest message that waits to be sent', 'oldest_seconds'],
] as const satisfies readonly (readonly [string, string, keyof OutboxDepth])[];

function addOutbox(registry: Registry, database: Query): void {
  const read = cached(OUTBOX_MS, () => database.query<OutboxDepth>(outboxDepth()));
  for (const [name, help, key] of OUTBOX_GAUGES)
    new Gauge({
      name,
      help,
      labelNames: ['channel'],
      registers: [registry],
      async collect() {
        const depths = await read();
        this.reset();
        for (const channel of depths === undefined ? [] : CHANNELS)
          this.set({ channel }, depths?.find((depth) => depth.channel === channel)?.[key] ?? 0);
      },
    });
}

function addDisk(registry: Registry, folder: string): void {
  const read = cached(DISK_MS, () => statfs(folder));
  const registers = [registry];
  new Gauge({
    name: 'greenroom_disk_size_bytes',
    help: 'Size of the file system of the data folder',
    registers,
    async collect() {
      const disk = await read();
      setOrRemove(this, disk && disk.blocks * disk.bsize);
    },
  });
  new Gauge({
    name: 'greenroom_disk_available_bytes',
    help: 'Free space of the file system of the data folder for the user of the process',
    registers,
    async collect() {
      const disk = await read();
      setOrRemove(this, disk && disk.bavail * disk.bsize);
    },
  });
}

/** Without a value, the gauge is absent: 0 would be a wrong size. */
function setOrRemove(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) gauge.remove();
  else gauge.set(value);
}
