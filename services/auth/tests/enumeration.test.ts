/**
 * Clients cannot find out which addresses have an account. Requests about an address have the same response and
 * duration whether it has a confirmed account, an unconfirmed one, or none.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPasswordHasher } from '../credential/password/hash.ts';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { newEmail, newPhone, PASSWORD } from '../testing/people.ts';
import { compareTimes } from '../testing/rank-test.ts';
import { authRequest } from '../testing/request.ts';
import { send, type TestResponse } from '../testing/scenario.ts';

const SAMPLES = 60;
/** Samples of operations that hash a password. Their relative variance is small, so that fewer samples suffice. */
const SLOW_SAMPLES = 24;
/**
 * By chance, a comparison has a lower p-value once in ten thousand times, and practically never three times in a row.
 */
const LEAST_P = 1e-4;
const MOST_DIFFERENCE = 0.2;
const MOST_ATTEMPTS = 3;

const CLASSES = ['confirmed', 'unconfirmed', 'missing'] as const;
type Class = (typeof CLASSES)[number];

interface Operation {
  name: string;
  path: string;
  body: (identifier: { email: string } | { phone: string }) => object;
  channel: 'email' | 'phone';
  /**
   * The response is a user. For a taken address, the protocol omits identities and role, so only fields and types are
   * compared.
   */
  isUser?: boolean;
  /** The operation hashes a password. */
  isSlow?: boolean;
  /** The accounts have an unused recovery code, at which a wrong code is counted. */
  hasCodes?: boolean;
  /** The operation runs the same code as another slow one, so only that one is measured. */
  isCovered?: boolean;
}

const OPERATIONS: readonly Operation[] = [
  {
    name: 'a sign-in with a wrong password',
    path: '/token?grant_type=password',
    body: (address) => ({ ...address, password: 'wrong horse' }),
    channel: 'email',
    isSlow: true,
  },
  {
    name: 'a sign-in by phone with a wrong password',
    path: '/token?grant_type=password',
    body: (address) => ({ ...address, password: 'wrong horse' }),
    channel: 'phone',
    isCovered: true,
  },
  { name: 'POST /otp', path: '/otp', body: (address) => address, channel: 'email' },
  { name: 'POST /otp by phone', path: '/otp', body: (address) => address, channel: 'phone' },
  { name: 'POST /magiclink', path: '/magiclink', body: (address) => address, channel: 'email' },
  { name: 'POST /recover', path: '/recover', body: (address) => address, channel: 'email' },
  {
    name: 'POST /resend',
    path: '/resend',
    body: (address) => ({ ...address, type: 'signup' }),
    channel: 'email',
  },
  {
    name: 'POST /verify with a wrong code',
    path: '/verify',
    body: (address) => ({ ...address, type: 'recovery', token: '123456' }),
    channel: 'email',
    hasCodes: true,
  },
  {
    name: 'POST /signup',
    path: '/signup',
    body: (address) => ({ ...address, password: PASSWORD }),
    channel: 'email',
    isUser: true,
    isSlow: true,
  },
  {
    name: 'POST /signup by phone',
    path: '/signup',
    body: (address) => ({ ...address, password: PASSWORD }),
    channel: 'phone',
    isUser: true,
    isCovered: true,
  },
];

let server: AuthServer;
let storedHash: string;
beforeAll(async () => {
  const settings = {
    GOTRUE_MAILER_AUTOCONFIRM: 'false',
    GOTRUE_SMS_AUTOCONFIRM: 'false',
    GOTRUE_SMTP_MAX_FREQUENCY: '1ms',
    GOTRUE_SMS_MAX_FREQUENCY: '1ms',
    GOTRUE_RATE_LIMIT_EMAIL_SENT: '1000000',
    GOTRUE_RATE_LIMIT_SMS_SENT: '1000000',
  };
  server = await startAuthServer(settings, undefined, { hasProductionHashing: true });
  storedHash = await createPasswordHasher().hash(PASSWORD, authRequest());
});
afterAll(() => server.close());

/** Addresses of one class, all of the same length. Accounts exist, unless the class is without accounts. */
async function addressesOf(
  kind: Class,
  { channel, hasCodes = false }: Operation,
  count: number,
): Promise<string[]> {
  const addresses = Array.from({ length: count }, channel === 'email' ? newEmail : newPhone);
  if (kind === 'missing') return addresses;
  const confirmedAt = kind === 'confirmed' ? new Date() : null;
  await server.database.admin.query({
    text: `with account as (
        insert into auth.users (instance_id, id, aud, role, ${channel}, encrypted_password, ${channel}_confirmed_at,
          raw_app_meta_data, raw_user_meta_data, created_at, updated_at, confirmation_token, recovery_token,
          email_change_token_new, email_change)
        select '00000000-0000-0000-0000-000000000000', gen_random_uuid(), 'authenticated', 'authenticated', address,
          $2, $3, '{"provider": "${channel}", "providers": ["${channel}"]}', '{}', now(), now(), '', '', '', ''
        from unnest($1::text[]) address
        returning id, ${channel} as address
      )
      insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
      select id, id, jsonb_build_object('sub', id, '${channel}', address), '${channel}', now(), now() from account`,
    values: [addresses, storedHash, confirmedAt],
  });
  if (hasCodes) await sendCodes(addresses);
  return addresses;
}

async function sendCodes(emails: string[]): Promise<void> {
  await server.database.admin.query({
    text: `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, code_hash, relates_to)
      select gen_random_uuid(), id, 'recovery_token', gen_random_uuid()::text, gen_random_uuid()::text, email
      from auth.users where email = any($1)`,
    values: [emails],
  });
}

async function addressesOfAll(operation: Operation, count: number): Promise<Record<Class, string[]>> {
  const lists = await Promise.all(
    CLASSES.map(async (kind) => [kind, await addressesOf(kind, operation, count)] as const),
  );
  return Object.fromEntries(lists) as Record<Class, string[]>;
}

const request = ({ path, body, channel }: Operation, address: string): Promise<TestResponse> =>
  send(server, {
    method: 'POST',
    path,
    body: body(channel === 'email' ? { email: address } : { phone: address }),
  });

/** All visible parts of a response except times, ids and personal data. */
function visible({ status, headers, text, json }: TestResponse, { isUser }: Operation) {
  const changing = new Set(['date', 'x-request-id', ...(isUser ? ['content-length'] : [])]);
  const shown = [...headers].map(([name, value]) => [name, changing.has(name) ? '' : value]);
  return { status, headers: Object.fromEntries(shown), body: isUser ? shapeOf(json) : text };
}

function shapeOf(json: Record<string, unknown>): Record<string, string> {
  const typeOf = (value: unknown) =>
    Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  return Object.fromEntries(
    Object.keys(json)
      .sort()
      .map((key) => [key, typeOf(json[key])]),
  );
}

/**
 * Durations of the requests of each class, in milliseconds. The three requests of a round run concurrently, in rotating
 * order.
 */
async function measure(operation: Operation): Promise<Record<Class, number[]>> {
  const samples = operation.isSlow ? SLOW_SAMPLES : SAMPLES;
  const addresses = await addressesOfAll(operation, samples);
  const times: Record<Class, number[]> = { confirmed: [], unconfirmed: [], missing: [] };
  const sample = async (kind: Class, address: string) => {
    const begun = performance.now();
    await request(operation, address);
    times[kind].push(performance.now() - begun);
  };
  for (let round = 0; round < samples; round += 1) {
    const turns = CLASSES.map((_, index) => CLASSES[(round + index) % CLASSES.length] as Class);
    await Promise.all(turns.map((kind) => sample(kind, addresses[kind][round] ?? '')));
  }
  return times;
}

/** The pairs of classes whose durations differ significantly. */
async function distinguishable(operation: Operation): Promise<string[]> {
  const times = await measure(operation);
  const pairs = [
    ['confirmed', 'missing'],
    ['unconfirmed', 'missing'],
    ['confirmed', 'unconfirmed'],
  ] as const;
  return pairs.flatMap(([one, other]) => {
    const { p, medians } = compareTimes(times[one], times[other]);
    const difference = Math.max(...medians) / Math.min(...medians) - 1;
    const [a, b] = medians.map((ms) => ms.toFixed(1));
    return p < LEAST_P && difference > MOST_DIFFERENCE ? [`${one} ${a} ms, ${other} ${b} ms, p = ${p}`] : [];
  });
}

describe.each(OPERATIONS)('$name', (operation) => {
  it('has the same response for all classes', async () => {
    const addresses = await addressesOfAll(operation, 1);
    const responses = await Promise.all(CLASSES.map((kind) => request(operation, addresses[kind][0] ?? '')));
    const [confirmed, unconfirmed, missing] = responses.map((response) => visible(response, operation));
    expect(confirmed?.status).toBeLessThan(500);
    expect(confirmed).toEqual(missing);
    expect(unconfirmed).toEqual(missing);
  });
});

/** Skips twins, which run the same code as their counterpart. */
describe.each(OPERATIONS.filter(({ isCovered }) => !isCovered))('$name', (operation) => {
  it('has the same duration for all classes', { timeout: 180_000 }, async () => {
    let found: string[] = [];
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      found = await distinguishable(operation);
      if (found.length === 0) return;
    }
    expect(found).toEqual([]);
  });
});
