/**
 * For any request, the data API returns a documented response and leaks no resources.
 * `npm run fuzz -- --requests 100000 --seed 7` sends more requests, or the same ones again.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '@greenroom/log';
import { PROPERTY_SEED } from '@greenroom/testing/property-seed';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DataServer } from '../testing/data-server.ts';
import { RawHttp } from './testing/raw-http.ts';
import { type FuzzRequest, fuzzRequests } from './testing/requests.ts';
import { codeOf, isOfDatabase, problemOf } from './testing/verdict.ts';

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 1500);
const SEED = Number(process.env.FUZZ_SEED ?? PROPERTY_SEED);
/** Sent at once. */
const BATCH = 8;
const PREFIX = '/rest/v1';
/** See the limit of prepared statements; those of settings and transactions come on top. */
const MAX_PREPARED = 260;
const CONNECTIONS = 10;
/** Quick reads alone use the others. */
const SHARED_CONNECTIONS = 8;

/** The last two of these roles are not available to requests. */
const ROLES = [
  ...Array<string>(12).fill('authenticated'),
  ...Array<string>(5).fill('service_role'),
  'anon',
  'nobody',
  'postgres',
];

let server: DataServer;
let http: RawHttp;
let tokens: string[];
/** Entries logged as errors. */
const logged: { code?: string; message: string; stack: string }[] = [];
const counts = new Map<string, number>();

beforeAll(async () => {
  const studio = await readFile(new URL('../testing/studio/studio.sql', import.meta.url), 'utf8');
  const sql = `${studio}
    create view studio.sessions as
      select pg_backend_pid() as id, (select count(*) from pg_prepared_statements) as statements, pg_sleep(0.1)::text;
    grant select on all tables in schema studio to authenticated`;
  const log = createLogger('error', {
    write: (line) => logged.push((JSON.parse(line) as { err: (typeof logged)[number] }).err),
  });
  const settings = {
    PGRST_DB_SCHEMAS: 'studio,annex',
    PGRST_DB_AGGREGATES_ENABLED: 'true',
    PGRST_DB_PLAN_ENABLED: 'true',
    PGRST_DB_TX_END: 'commit-allow-override',
    PGRST_DB_MAX_ROWS: '100',
  };
  server = await DataServer.open(sql, settings, { log });
  http = new RawHttp(Number(new URL(server.url).port));
  tokens = await Promise.all(
    ROLES.map((role, index) =>
      server.token({ role, sub: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}` }),
    ),
  );
});
afterAll(async () => {
  http.close();
  await server.close();
});

it(
  `responds to ${REQUESTS} requests as documented (seed ${SEED})`,
  async () => {
    const batches = fc.array(fuzzRequests(PREFIX, tokens), { minLength: BATCH, maxLength: BATCH });
    await fc.assert(
      fc.asyncProperty(batches, async (batch) => {
        const problems = await Promise.all(batch.map(problemOfRequest));
        expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
      }),
      { numRuns: Math.ceil(REQUESTS / BATCH), seed: SEED, endOnFailure: false },
    );
    if (process.env.FUZZ_REQUESTS !== undefined) printCounts();
  },
  // A loaded machine may be slow; only an answer that never comes is a failure.
  60_000 + REQUESTS * 100,
);

it('logs no internal errors', () => {
  const own = logged.filter(({ code = '' }) => !isOfDatabase(code, 500) && !isOfDatabase(code, 503));
  expect([...new Set(own.map(({ stack }) => stack))]).toEqual([]);
});

it('returns each share of the connections', async () => {
  const { shares } = server.instance.pool;
  const freeShares = () => {
    const releases = Array.from({ length: CONNECTIONS }, () => shares.tryAcquire({ address: '' }));
    for (const release of releases) release?.();
    return releases.filter((release) => release !== undefined).length;
  };
  await expect.poll(freeShares).toBe(SHARED_CONNECTIONS);
});

it('has all connections idle, with few prepared statements on each', async () => {
  const busy = {
    text: "select state, query from pg_stat_activity where application_name = 'greenroom data' and state <> 'idle'",
  };
  await expect.poll(() => server.database.admin.query(busy)).toEqual([]);
  const claims = { role: 'authenticated' };
  // Quick reads share connections, so not every round sees all of them.
  const statementsOf = new Map<number, number>();
  const sampleConnections = async () => {
    const requests = Array.from({ length: CONNECTIONS * 3 }, () =>
      server.request('/sessions?select=id,statements', { claims }),
    );
    for (const { json } of await Promise.all(requests)) {
      const [{ id, statements }] = json as [{ id: number; statements: number }];
      statementsOf.set(id, statements);
    }
    return statementsOf.size;
  };
  await expect.poll(sampleConnections).toBeGreaterThanOrEqual(SHARED_CONNECTIONS);
  for (const statements of statementsOf.values()) expect(statements).toBeLessThan(MAX_PREPARED);
});

async function problemOfRequest(fuzz: FuzzRequest): Promise<string | undefined> {
  if (fuzz.kind === 'request') {
    const response = await http.send(fuzz.request);
    count(`${response.status} ${codeOf(response)}`);
    const problem = problemOf(response, fuzz.request.method === 'HEAD');
    return problem && `${fuzz.request.method} ${fuzz.request.target}: ${problem}`;
  }
  if (fuzz.kind === 'abandoned') {
    await http.abandon(fuzz.request, () => sleep(fuzz.afterMs));
    count('abandoned');
    return undefined;
  }
  const responses = await http.sendBytes(fuzz.bytes);
  if (responses.length === 0) count('no answer');
  // Bodies are not looked at: whether there should be one is not known.
  const problems = responses.map((response) => {
    count(`${response.status} ${codeOf(response)}`);
    return problemOf(response, true);
  });
  return problems.find((problem) => problem !== undefined);
}

function count(label: string): void {
  counts.set(label.trim(), (counts.get(label.trim()) ?? 0) + 1);
}

function printCounts(): void {
  const lines = [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([label, number]) => `${label}: ${number}`);
  process.stdout.write(`\n${lines.join('\n')}\n`);
}
