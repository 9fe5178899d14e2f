/**
 * Measures sign-ins, refreshes, GET /user and token checks, each compared with the work that it cannot avoid, and the
 * admin's list of many accounts. Server, load and reference are separate processes; a load and its reference alternate.
 */
import { join } from 'node:path';
import { openDatabase } from '@greenroom/postgres';
import { insertPeople, PASSWORD, PASSWORD_HASH, type SignedIn } from './auth/people.ts';
import { benchUserList } from './auth/user-list.ts';
import { createClient } from './load/http.ts';
import { type Figure, rateText } from './measure/figure.ts';
import type { Rate } from './measure/load.ts';
import { measureAlternately, startLoad } from './measure/load-process.ts';
import { readKeys, startGreenroomProcess, temporaryFolder } from './measure/process.ts';

const CONCURRENCY = 16;
/** Size of the service's own pool. */
const CONNECTIONS = 12;
/** A multiple of the concurrency, so that each account belongs to one loop. */
const PEOPLE = 512;
/** Twice the number of libuv's threads, so that none of them ever waits for work. */
const SIGN_IN_CONCURRENCY = 8;
const ROUNDS = { rounds: 3, ms: 1000 };
/** Longer rounds, because only a few sign-ins finish in a second. */
const SIGN_IN_ROUNDS = { rounds: 2, ms: 2000 };
/**
 * A number of tokens that fits into the keyring's cache, and one that exceeds it, so that each token has been evicted
 * when it is used again.
 */
const KNOWN_TOKENS = 100;
const UNKNOWN_TOKENS = 12_000;

const SIGN_IN_SHARE = 0.85;
const REFRESH_SHARE = 0.4;

/** A running instance with accounts. */
interface Target {
  url: string;
  databaseUrl: string;
  anonKey: string;
  serviceKey: string;
  /** Accounts for the service. */
  people: SignedIn[];
  /** Accounts for the reference, because a token can only be refreshed once. */
  referencePeople: SignedIn[];
}

export async function benchAuth(): Promise<Figure[]> {
  await using opened = new AsyncDisposableStack();
  const { folder, remove } = await temporaryFolder();
  opened.defer(remove);
  const instance = await startGreenroomProcess(folder);
  opened.defer(() => instance.stop());
  const {
    ANON_KEY: anonKey = '',
    SECRET_KEY: serviceKey = '',
    DB_URL: databaseUrl = '',
  } = await readKeys(folder);
  const target = { url: instance.url, databaseUrl, anonKey, serviceKey, ...(await populate(databaseUrl)) };
  return [
    ...(await benchSignIn(target)),
    ...(await benchRefresh(target)),
    ...(await benchUser(target)),
    ...(await benchTokenChecks()),
    ...(await benchUserList(target)),
  ];
}

async function populate(url: string): Promise<Pick<Target, 'people' | 'referencePeople'>> {
  const database = openDatabase({ url, max: 1, applicationName: 'bench' });
  const people = await insertPeople(database, 'one', PEOPLE);
  const referencePeople = await insertPeople(database, 'other', PEOPLE);
  await database.query({ text: 'analyze' });
  await database.close();
  return { people, referencePeople };
}

async function benchSignIn({ url, anonKey, people }: Target): Promise<Figure[]> {
  const concurrency = SIGN_IN_CONCURRENCY;
  const emails = people.map(({ email }) => email);
  const [raw, signIn] = await measure(SIGN_IN_ROUNDS, [
    ['reference/raw-bcrypt.ts', { password: PASSWORD, hash: PASSWORD_HASH, concurrency }],
    ['load/sign-in.ts', { url, anonKey, emails, password: PASSWORD, concurrency }],
  ]);
  return compared('bcrypt alone', raw, 'POST /token?grant_type=password', signIn, SIGN_IN_SHARE);
}

async function benchRefresh({
  url,
  databaseUrl,
  anonKey,
  people,
  referencePeople,
}: Target): Promise<Figure[]> {
  const concurrency = CONCURRENCY;
  const tokens = (group: SignedIn[]) => group.map(({ refreshToken }) => refreshToken);
  const database = { url: databaseUrl, connections: CONNECTIONS };
  const [raw, refresh] = await measure(ROUNDS, [
    ['reference/raw-refresh.ts', { ...database, tokens: tokens(referencePeople), concurrency }],
    ['load/refresh.ts', { url, anonKey, tokens: tokens(people), concurrency }],
  ]);
  const name = 'POST /token?grant_type=refresh_token';
  return compared('the queries of a refresh alone', raw, name, refresh, REFRESH_SHARE);
}

async function benchUser({ url, databaseUrl, anonKey, people }: Target): Promise<Figure[]> {
  const concurrency = CONCURRENCY;
  const sample = people.slice(0, 2 * concurrency);
  const accessTokens = await Promise.all(sample.map(({ email }) => signIn(url, anonKey, email)));
  const [raw, user] = await measure(ROUNDS, [
    ['reference/raw-user.ts', { url: databaseUrl, connections: CONNECTIONS, people: sample, concurrency }],
    ['load/get-user.ts', { url, anonKey, accessTokens, concurrency }],
  ]);
  return compared('the query of GET /user alone', raw, 'GET /user', user);
}

async function signIn(url: string, anonKey: string, email: string): Promise<string> {
  const headers = { apikey: anonKey, 'content-type': 'application/json' };
  const response = await createClient(url, 1)('/auth/v1/token?grant_type=password', headers, {
    email,
    password: PASSWORD,
  });
  return (JSON.parse(response) as { access_token: string }).access_token;
}

async function benchTokenChecks(): Promise<Figure[]> {
  const [raw, unknown, known] = await measure(ROUNDS, [
    ['reference/raw-verify.ts', { tokens: UNKNOWN_TOKENS }],
    ['load/token-check.ts', { tokens: UNKNOWN_TOKENS }],
    ['load/token-check.ts', { tokens: KNOWN_TOKENS }],
  ]);
  const alone = 'an ES256 signature alone';
  return [
    ...compared(alone, raw, 'verification of an uncached token', unknown),
    ...compared(alone, raw, 'verification of a cached token', known).slice(1),
  ];
}

/** Starts scripts of this folder, each with its input, and measures them alternately. */
function measure(
  rounds: typeof ROUNDS,
  scripts: readonly (readonly [path: string, input: object])[],
): Promise<Rate[]> {
  const loads = scripts.map(([path, input]) => startLoad(join(import.meta.dirname, path), input));
  return measureAlternately(loads, rounds);
}

const ZERO_RATE: Rate = { perSecond: 0, p50Ms: 0, p99Ms: 0 };

function compared(of: string, raw = ZERO_RATE, name: string, rate = ZERO_RATE, target?: number): Figure[] {
  const share = rate.perSecond / raw.perSecond;
  const goal = target && { text: `at least ${Math.round(target * 100)} %`, met: share >= target };
  return [
    { name: of, value: rateText(raw) },
    { name, value: rateText(rate), ratio: { of, share }, ...(goal && { target: goal }) },
  ];
}
