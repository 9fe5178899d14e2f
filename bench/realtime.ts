/**
 * Measures realtime: broadcasts to many subscribers compared with bare `ws`, the memory of an idle socket, and the
 * delay of a database change until its subscribers receive it.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '@greenroom/postgres';
import { type Figure, rateText } from './measure/figure.ts';
import { measureAlternately, rateOf, startLoad } from './measure/load-process.ts';
import {
  type Running,
  readKeys,
  startGreenroomProcess,
  startProcess,
  temporaryFolder,
} from './measure/process.ts';

const SUBSCRIBERS = [1, 10, 100, 1000];
const IN_FLIGHT = 4;
const ROUNDS = { rounds: 3, ms: 1500 };
const SHARE = 0.6;
const IDLE = 5000;
const CHANGES = { perSecond: 200, subscribers: 100, users: 10, ms: 10_000, p50Ms: 25, p99Ms: 100 };
/** Limits that protect a server from load would distort the measurement. */
const NO_LIMITS = {
  GREENROOM_REALTIME_MAX_JOINS_PER_SECOND: '1000000',
  GREENROOM_REALTIME_MAX_EVENTS_PER_SECOND: '10000000',
  GREENROOM_REALTIME_MAX_DB_EVENTS_PER_SECOND: '10000000',
  GREENROOM_REALTIME_MAX_FRAMES_PER_SECOND: '10000000',
};
const TABLE = 'ticks';

/** The instance under load. */
interface Fixture {
  instance: Running;
  url: string;
  keys: Record<string, string>;
}

export async function benchRealtime(): Promise<Figure[]> {
  await using opened = new AsyncDisposableStack();
  const { folder, remove } = await temporaryFolder();
  opened.defer(remove);
  const instance = await startGreenroomProcess(folder, NO_LIMITS);
  opened.defer(() => instance.stop());
  const bare = await startProcess([script('reference/bare-sockets.ts')]);
  opened.defer(() => bare.stop());
  const keys = await readKeys(folder);
  const url = `${instance.url.replace('http', 'ws')}/realtime/v1`;
  const fixture = { instance, url, keys };
  // Measured first, while the process has no free memory that it could reuse for the sockets.
  const figures = [await idleSockets(fixture)];
  for (const subscribers of SUBSCRIBERS) figures.push(...(await fanOut(fixture, bare.url, subscribers)));
  figures.push(...(await changes(fixture)));
  return figures;
}

function script(path: string): string {
  return join(import.meta.dirname, path);
}

async function fanOut({ url, keys }: Fixture, bareUrl: string, subscribers: number): Promise<Figure[]> {
  const input = { subscribers, inFlight: IN_FLIGHT };
  const loads = [
    startLoad(script('load/fan-out.ts'), { ...input, url: bareUrl }),
    startLoad(script('load/fan-out.ts'), { ...input, url, apiKey: keys.ANON_KEY }),
  ];
  const [bare, own] = await measureAlternately(loads, ROUNDS);
  if (bare === undefined || own === undefined) throw new Error('a load has no result');
  const share = own.perSecond / bare.perSecond;
  const delivered = (rate: typeof own) => rateText({ ...rate, perSecond: rate.perSecond * subscribers });
  const name = `broadcasts to ${subscribers}, delivered`;
  return [
    { name: `${name}: bare ws`, value: delivered(bare) },
    {
      name,
      value: delivered(own),
      ratio: { of: 'bare ws', share },
      target: { text: `at least ${SHARE * 100} %`, met: share >= SHARE },
    },
  ];
}

async function changes({ url, keys }: Fixture): Promise<Figure[]> {
  const { DB_URL: databaseUrl = '', JWT_SECRET: secret = '', ANON_KEY: apiKey } = keys;
  const database = openDatabase({ url: databaseUrl, max: 1, applicationName: 'bench' });
  for (const text of [
    `create table ${TABLE} (id int primary key, text text not null)`,
    `alter table ${TABLE} enable row level security`,
    `create policy signed_in on ${TABLE} for select to authenticated using ((select auth.uid()) is not null)`,
    `grant select on ${TABLE} to authenticated`,
    `alter publication supabase_realtime add table ${TABLE}`,
  ]) {
    await database.query({ text });
  }
  await database.close();
  const users = Array.from({ length: CHANGES.users }, () => tokenOf(randomUUID(), secret));
  const tokens = Array.from({ length: CHANGES.subscribers }, (_, i) => users[i % CHANGES.users]);
  const { perSecond } = CHANGES;
  const load = startLoad(script('load/changes.ts'), {
    url,
    apiKey,
    databaseUrl,
    table: TABLE,
    tokens,
    perSecond,
  });
  await load.run(1000);
  const round = await load.run(CHANGES.ms);
  await load.stop();
  const { p50Ms, p99Ms } = rateOf([round]);
  const expected = (CHANGES.ms / 1000) * perSecond * CHANGES.subscribers;
  const isMet = p50Ms < CHANGES.p50Ms && p99Ms < CHANGES.p99Ms && round.latencies.length === expected;
  return [
    {
      name: `changes, ${perSecond}/s to ${CHANGES.subscribers} of ${CHANGES.users} users`,
      value: `${round.latencies.length} delivered  p50 ${p50Ms.toFixed(1)} ms  p99 ${p99Ms.toFixed(1)} ms from before the INSERT`,
      target: {
        text: `all of ${expected}, p50 under ${CHANGES.p50Ms} ms, p99 under ${CHANGES.p99Ms} ms`,
        met: isMet,
      },
    },
  ];
}

/** Creates an HS256 token like that of a signed-in user. */
function tokenOf(sub: string, secret: string): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sub, role: 'authenticated', aud: 'authenticated', exp })}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

async function idleSockets({ instance, url, keys }: Fixture): Promise<Figure> {
  const resident = async () => {
    const status = await readFile(`/proc/${instance.child.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
  };
  const load = startLoad(script('load/idle-sockets.ts'), { url, apiKey: keys.ANON_KEY, sockets: IDLE });
  const before = await resident();
  const round = await load.run(0);
  const after = await resident();
  await load.stop();
  return {
    name: `${IDLE.toLocaleString('en')} idle sockets`,
    value: `${((after - before) / IDLE).toFixed(1)} kB each (${Math.round(before / 1024)} → ${Math.round(after / 1024)} MB), opened and joined in ${(round.ms / 1000).toFixed(1)} s`,
  };
}
