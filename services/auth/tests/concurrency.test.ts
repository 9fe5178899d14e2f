/** Concurrent requests with the same address, code or link: exactly one of them succeeds. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { latestTo, openLink } from '../testing/mailbox.ts';
import { newEmail, newPhone, PASSWORD, signUpProvenPerson } from '../testing/people.ts';
import { send, type TestResponse } from '../testing/scenario.ts';

const MANY = 50;
const BUSY = {
  GOTRUE_SMTP_MAX_FREQUENCY: '1ms',
  GOTRUE_SMS_MAX_FREQUENCY: '1ms',
  GOTRUE_RATE_LIMIT_EMAIL_SENT: '1000000',
  GOTRUE_RATE_LIMIT_SMS_SENT: '1000000',
  // Under load, a hash waits in the queue behind all others.
  GOTRUE_API_MAX_REQUEST_DURATION: '60s',
};

let autoconfirming: AuthServer;
let confirming: AuthServer;
beforeAll(async () => {
  autoconfirming = await startAuthServer(BUSY);
  confirming = await startAuthServer(
    { ...BUSY, GOTRUE_MAILER_AUTOCONFIRM: 'false', GOTRUE_SMS_AUTOCONFIRM: 'false' },
    autoconfirming,
  );
});
afterAll(async () => {
  await confirming.close();
  await autoconfirming.close();
});

const post = (on: AuthServer, path: string, body: object) => send(on, { method: 'POST', path, body });
const many = <T>(work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: MANY }, (_, index) => work(index)));

type Address = { email: string } | { phone: string };
const addresses: [string, () => Address][] = [
  ['email address', () => ({ email: newEmail() })],
  ['phone number', () => ({ phone: newPhone() })],
];
const textOf = (address: Address): string => Object.values(address)[0] ?? '';

const query = (text: string, ...values: unknown[]) =>
  autoconfirming.database.admin.query<Record<string, unknown>>({ text, values });
const usersOf = (address: Address) =>
  query('select id from auth.users where email = $1 or phone = $1', textOf(address));
const sessionsOf = (address: Address) =>
  query(
    `select s.id from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1 or u.phone = $1`,
    textOf(address),
  );
const identitiesOf = (address: Address) =>
  query(
    `select i.id from auth.identities i join auth.users u on u.id = i.user_id where u.email = $1 or u.phone = $1`,
    textOf(address),
  );

/** Counts the responses of each status. */
function statuses(responses: readonly TestResponse[]): Record<number, number> {
  const groups = Map.groupBy(responses, ({ status }) => status);
  return Object.fromEntries([...groups].map(([status, group]) => [status, group.length]));
}

// Slow, because each request hashes a password.
describe.each(addresses)('concurrent sign-ups with one %s', { timeout: 120_000 }, (_, newAddress) => {
  it('with autoconfirm: one request gets the account, a session, and its own password', async () => {
    const address = newAddress();
    const passwords = Array.from({ length: MANY }, () => randomUUID());
    const responses = await many((index) =>
      post(autoconfirming, '/signup', { ...address, password: passwords[index] }),
    );
    expect(statuses(responses)).toEqual({ 200: 1, 422: MANY - 1 });
    const written = [await usersOf(address), await identitiesOf(address), await sessionsOf(address)];
    expect(written.map((rows) => rows.length)).toEqual([1, 1, 1]);
    const winner = passwords[responses.findIndex(({ status }) => status === 200)];
    const signIn = (password: string | undefined) =>
      post(autoconfirming, '/token?grant_type=password', { ...address, password });
    expect((await signIn(winner)).status).toBe(200);
    expect((await signIn(passwords.find((password) => password !== winner))).status).toBe(400);
  });

  it('with a confirmation: one account, no session, and the next code confirms it', async () => {
    const address = newAddress();
    const responses = await many(() => post(confirming, '/signup', { ...address, password: PASSWORD }));
    const { 200: sent = 0, 429: limited = 0 } = statuses(responses);
    expect(sent + limited, JSON.stringify(statuses(responses))).toBe(MANY);
    expect(sent).toBeGreaterThan(0);
    expect([(await usersOf(address)).length, (await identitiesOf(address)).length]).toEqual([1, 1]);
    expect(await sessionsOf(address)).toEqual([]);
    const ids = responses.flatMap(({ status, json }) => (status === 200 ? [json.id] : []));
    expect(new Set(ids)).toEqual(new Set([(await usersOf(address))[0]?.id]));
    const type = 'email' in address ? 'signup' : 'sms';
    await post(confirming, '/resend', { ...address, type });
    const { code } = await latestTo(autoconfirming, textOf(address));
    const verified = await post(confirming, '/verify', { ...address, type, token: code });
    expect(verified.status, verified.text).toBe(200);
  });

  it.each([
    ['counts at once', () => autoconfirming],
    ['has to be confirmed', () => confirming],
  ])('that %s, by all endpoints: one account', async (_name, on) => {
    const address = newAddress();
    const calls = [
      ['/signup', { ...address, password: PASSWORD }],
      ['/otp', address],
      ['email' in address ? '/magiclink' : '/otp', address],
    ] as const;
    const responses = await many((index) => {
      const [path, body] = calls[index % calls.length] ?? calls[0];
      return post(on(), path, body);
    });
    const unexpected = responses.filter(({ status }) => ![200, 422, 429].includes(status));
    expect(unexpected.map(({ text }) => text)).toEqual([]);
    expect([(await usersOf(address)).length, (await identitiesOf(address)).length]).toEqual([1, 1]);
  });
});

describe('concurrent uses of one code or link open one session', () => {
  /** One succeeds. Of the others, ten count as wrong guesses, and the rest exceed the limit. */
  function expectOne(responses: readonly TestResponse[]): void {
    const { 200: opened, 403: used = 0, 429: limited = 0, ...others } = statuses(responses);
    expect([opened, others]).toEqual([1, {}]);
    expect(used + limited).toBe(MANY - 1);
  }

  it.each<[string, () => Promise<{ address: Address; body: () => Promise<object> }>]>([
    ['the code of a sign-up by mail', () => signedUp({ email: newEmail() }, 'signup')],
    ['the code of a sign-up by SMS', () => signedUp({ phone: newPhone() }, 'sms')],
    ['the code of a magic link', () => sentTo('/otp', 'email')],
    ['the code of a recovery', () => sentTo('/recover', 'recovery')],
  ])('%s', async (_, prepare) => {
    const { address, body } = await prepare();
    const before = (await sessionsOf(address)).length;
    const requestBody = await body();
    expectOne(await many(() => post(confirming, '/verify', requestBody)));
    expect(await sessionsOf(address)).toHaveLength(before + 1);
    expect((await post(confirming, '/verify', requestBody)).status).not.toBe(200);
  });

  it('the hash of a link', async () => {
    const { address, token } = await recovering();
    const before = (await sessionsOf(address)).length;
    expectOne(await many(() => post(autoconfirming, '/verify', { type: 'recovery', token_hash: token })));
    expect(await sessionsOf(address)).toHaveLength(before + 1);
  });

  it('a link', async () => {
    const { address, link } = await recovering();
    const before = (await sessionsOf(address)).length;
    const opened = await many(() => openLink(autoconfirming, link));
    expect(new Set(opened.map(({ status }) => status))).toEqual(new Set([303]));
    expect(opened.filter(({ fragment }) => fragment.access_token !== undefined)).toHaveLength(1);
    expect(opened.filter(({ fragment }) => fragment.error_code === 'otp_expired')).toHaveLength(MANY - 1);
    expect(await sessionsOf(address)).toHaveLength(before + 1);
  });

  it('the code at the end of a PKCE flow', async () => {
    const verifier = 'v'.repeat(64);
    const { address, link } = await recovering({ code_challenge: verifier, code_challenge_method: 'plain' });
    const before = (await sessionsOf(address)).length;
    const { query: parameters } = await openLink(autoconfirming, link);
    const body = { auth_code: parameters.code, code_verifier: verifier };
    const responses = await many(() => post(autoconfirming, '/token?grant_type=pkce', body));
    expect(statuses(responses)).toEqual({ 200: 1, 404: MANY - 1 });
    expect(await sessionsOf(address)).toHaveLength(before + 1);
  });

  it('codes of several accounts are independent', async () => {
    const people = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const { address, body } = await sentTo('/otp', 'email');
        return { address, body: await body() };
      }),
    );
    const responses = await Promise.all(
      people.flatMap(({ body }) => Array.from({ length: 5 }, () => post(autoconfirming, '/verify', body))),
    );
    expect(statuses(responses)).toEqual({ 200: 10, 403: 40 });
    const subjects = responses.flatMap(({ status, json }) => (status === 200 ? [json.user.email] : []));
    expect(subjects.toSorted()).toEqual(people.map(({ address }) => textOf(address)).toSorted());
  });
});

/** Signs up; returns the code that confirms the address. */
async function signedUp(address: Address, type: string) {
  const { status, text } = await post(confirming, '/signup', { ...address, password: PASSWORD });
  expect(status, text).toBe(200);
  return {
    address,
    body: async () => ({ ...address, type, token: (await latestTo(autoconfirming, textOf(address))).code }),
  };
}

/** Requests a code for an existing account. */
async function sentTo(path: string, type: string) {
  const address = { email: (await signUpProvenPerson(autoconfirming)).email };
  expect((await post(autoconfirming, path, address)).status).toBe(200);
  return {
    address,
    body: async () => ({ ...address, type, token: (await latestTo(autoconfirming, address.email)).code }),
  };
}

/** Requests a recovery link for an existing account. */
async function recovering(challenge: object = {}) {
  const address = { email: (await signUpProvenPerson(autoconfirming)).email };
  await post(autoconfirming, '/recover', { ...address, ...challenge });
  const { link, token } = await latestTo(autoconfirming, address.email);
  return { address, link: link ?? '', token };
}
