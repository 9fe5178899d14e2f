/**
 * Measures the data API over HTTP. Each scenario is compared with (a) its statement alone through the driver, and (b)
 * the same request to the nearest peer on the same PostgreSQL. Loads are separate processes and alternate.
 */
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase, runAndRollBack, type Transaction } from '@greenroom/postgres';
import { SCENARIOS, SCHEMA, type Scenario } from './data-api/scenarios.ts';
import { type Figure, rateText } from './measure/figure.ts';
import type { Rate } from './measure/load.ts';
import { measureAlternately, startLoad } from './measure/load-process.ts';
import { type Peer, startPeer } from './measure/peer.ts';
import { type Running, readKeys, startGreenroomProcess, temporaryFolder } from './measure/process.ts';
import { residentMb } from './measure/process-tree.ts';
import { openConnection, requestWriter } from './measure/raw-http.ts';

/** The default pool size of the service. */
const CONNECTIONS = 10;
/** Most targets are defined for this concurrency. */
const TARGET_CONCURRENCY = 64;
const CONCURRENCIES = [1, 16, TARGET_CONCURRENCY];
const ROUND_MS = 1000;
/**
 * The disk and other guests of the machine may slow down at any time; more rounds reduce the weight of one second where
 * targets are defined.
 */
const ROUNDS = { measured: 6, others: 2 };
/**
 * Number of requests at which memory is compared, the number after which it is measured first, and the tolerance for
 * random differences.
 */
const TOTAL_REQUESTS = 1_000_000;
/** Until then, the heap still grows to the size at which garbage collection settles, and never shrinks below it. */
const WARM_UP_REQUESTS = 200_000;
const MEMORY_SLACK_MB = 30;
/** Target: the factor by which the service is faster than the peer. */
const PEER_FACTOR = 3;

/** The servers and the database of the measurements. */
interface Fixture {
  instance: Running;
  database: Database;
  databaseUrl: string;
  peer: Peer;
}

export async function benchData(): Promise<Figure[]> {
  await using opened = new AsyncDisposableStack();
  const { folder, remove } = await temporaryFolder();
  opened.defer(remove);
  const instance = await startGreenroomProcess(folder, { GREENROOM_REQUIRE_API_KEY: 'false' });
  opened.defer(() => instance.stop());
  const { DB_URL: databaseUrl = '' } = await readKeys(folder);
  const database = openDatabase({ url: databaseUrl, max: 1, applicationName: 'bench' });
  opened.defer(() => database.close());
  for (const text of SCHEMA) await database.query({ text });
  await waitUntilServed(`${instance.url}/rest/v1/entries?limit=1`);
  const peer = await startPeer(databaseUrl);
  opened.defer(() => peer.stop());
  const localUrl = await socketUrl(folder, databaseUrl);
  const fixture = { instance, database, databaseUrl: localUrl, peer };
  const figures: Figure[] = [];
  for (const scenario of SCENARIOS) {
    const text = await statementOf(fixture, scenario);
    for (const concurrency of CONCURRENCIES)
      figures.push(...(await benchScenario(fixture, scenario, text, concurrency)));
  }
  figures.push(await memoryFigure(fixture));
  return figures;
}

/** The reference connects to PostgreSQL through the socket if one exists, as the service does. */
async function socketUrl(folder: string, databaseUrl: string): Promise<string> {
  const url = new URL(databaseUrl);
  const directory = await realpath(join(folder, 'postgres'));
  if (!existsSync(join(directory, `.s.PGSQL.${url.port}`))) return databaseUrl;
  url.searchParams.set('host', directory);
  return url.href;
}

async function waitUntilServed(url: string): Promise<void> {
  while (!(await fetch(url)).ok) await sleep(50);
}

/**
 * Returns the text of the request's statement: while its tables are locked, PostgreSQL cannot run it and lists it as
 * waiting.
 */
async function statementOf(
  { instance, database }: Fixture,
  { method, target, body }: Scenario,
): Promise<string> {
  const connection = openConnection(instance.url);
  let responded: Promise<void> | undefined;
  const text = await runAndRollBack(database, async (tx) => {
    await tx.query({ text: 'lock table items, orders, entries in access exclusive mode' });
    responded = connection.send(requestWriter(method, {})(`/rest/v1${target(1)}`, body?.(1)));
    return waitingText(tx);
  });
  await responded;
  return text;
}

async function waitingText(tx: Transaction): Promise<string> {
  for (;;) {
    const [, [waiting]] = (await tx.batch([
      { text: 'select pg_stat_clear_snapshot()' },
      {
        text: `select query, octet_length(query) < pg_size_bytes(current_setting('track_activity_query_size')) - 1 as is_whole
          from pg_stat_activity where application_name = 'greenroom data' and wait_event_type = 'Lock'`,
      },
    ])) as [unknown, { query: string; is_whole: boolean }[]];
    if (waiting === undefined) await sleep(5);
    else if (waiting.is_whole) return waiting.query;
    else throw new Error('the statement exceeds track_activity_query_size');
  }
}

async function benchScenario(
  { instance, databaseUrl, peer }: Fixture,
  scenario: Scenario,
  text: string,
  concurrency: number,
): Promise<Figure[]> {
  const { name } = scenario;
  const script = (path: string) => join(import.meta.dirname, path);
  const connections = Math.min(concurrency, CONNECTIONS);
  const isLoaded = concurrency === TARGET_CONCURRENCY;
  const shareTarget = shareTargetOf(scenario, concurrency);
  const rest = (url: string, headers: Record<string, string>) =>
    startLoad(script('load/rest.ts'), { url, headers, scenario: name, concurrency });
  const [alone, own, other] = await measureAlternately(
    [
      startLoad(script('reference/sql.ts'), {
        url: databaseUrl,
        text,
        scenario: name,
        concurrency,
        connections,
      }),
      rest(`${instance.url}/rest/v1`, {}),
      rest(`${peer.url}/rest/v1`, peer.headers),
    ],
    { rounds: isLoaded || shareTarget !== undefined ? ROUNDS.measured : ROUNDS.others, ms: ROUND_MS },
  );
  if (alone === undefined || own === undefined || other === undefined)
    throw new Error('a load has no result');
  const label = `${name}, ${concurrency} at once`;
  const share = own.perSecond / alone.perSecond;
  const times = own.perSecond / other.perSecond;
  return [
    { name: `${label}: the statement alone`, value: rateText(alone) },
    {
      name: `${label}: the peer`,
      value: rateText(other),
      ...(isLoaded && {
        target: {
          text: `at most 1/${PEER_FACTOR} of ours (ours: ${times.toFixed(1)} times the peer)`,
          met: times >= PEER_FACTOR,
        },
      }),
    },
    {
      name: label,
      value: rateText(own),
      ratio: { of: 'the statement alone', share },
      ...(shareTarget !== undefined && {
        target: { text: `at least ${Math.round(shareTarget * 100)} %`, met: share >= shareTarget },
      }),
    },
    ...(isLoaded ? tailFigures(label, own, scenario) : []),
  ];
}

function shareTargetOf({ target1, target64 }: Scenario, concurrency: number): number | undefined {
  if (concurrency === 1) return target1;
  return concurrency === TARGET_CONCURRENCY ? target64 : undefined;
}

/** The slowest requests, compared with the median one. */
function tailFigures(label: string, { p50Ms, p99Ms }: Rate, { tailTarget64 }: Scenario): Figure[] {
  if (tailTarget64 === undefined) return [];
  const times = p99Ms / p50Ms;
  return [
    {
      name: `${label}: p99`,
      value: `${times.toFixed(1)} times p50`,
      target: { text: `at most ${tailTarget64} times`, met: times <= tailTarget64 },
    },
  ];
}

/** Repeats requests by key: memory that a request leaks would be visible after a million. */
async function memoryFigure({ instance }: Fixture): Promise<Figure> {
  const script = join(import.meta.dirname, 'load/rest.ts');
  const scenario = SCENARIOS[0]?.name ?? '';
  const load = startLoad(script, { url: `${instance.url}/rest/v1`, headers: {}, scenario, concurrency: 64 });
  let sent = 0;
  /** Returns the minimum between two numbers of requests, because at any one moment memory contains garbage as well. */
  const lowestUntil = async (count: number) => {
    let lowest = Number.POSITIVE_INFINITY;
    while (sent < count) {
      sent += (await load.run(5000)).latencies.length;
      lowest = Math.min(lowest, await residentMb(instance.child.pid ?? 0));
    }
    return lowest;
  };
  await lowestUntil(WARM_UP_REQUESTS);
  const before = await lowestUntil(2 * WARM_UP_REQUESTS);
  await lowestUntil(TOTAL_REQUESTS - WARM_UP_REQUESTS);
  const after = await lowestUntil(TOTAL_REQUESTS);
  await load.stop();
  return {
    name: `memory of the server after ${sent.toLocaleString('en')} requests`,
    value: `${after.toFixed(0)} MB; ${before.toFixed(0)} MB after the first ${(2 * WARM_UP_REQUESTS).toLocaleString('en')}`,
    target: { text: `flat: at most ${MEMORY_SLACK_MB} MB more`, met: after - before <= MEMORY_SLACK_MB },
  };
}
