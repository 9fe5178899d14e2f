/** Each expensive operation is limited per client, unless the public URL is a loopback URL. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { newEmail, type Person, signUpPerson } from '../testing/people.ts';
import { type Call, send } from '../testing/scenario.ts';

const BURST = 30;

const ENV = {
  GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true',
  GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED: 'true',
  GOTRUE_OAUTH_SERVER_ENABLED: 'true',
  GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION: 'true',
  GOTRUE_SECURITY_MANUAL_LINKING_ENABLED: 'true',
  GOTRUE_SMTP_MAX_FREQUENCY: '1ms',
  // Disabled, because wrong guesses have separate limits.
  GREENROOM_RATE_LIMIT_FAILED_SIGN_INS: '0',
};

let free: AuthServer;
let person: Person;
let anonToken: string;
beforeAll(async () => {
  free = await startAuthServer(ENV);
  person = await signUpPerson(free);
  anonToken = await free.keys.sign({ role: 'anon', exp: Math.floor(Date.now() / 1000) + 3600 });
});
afterAll(() => free.close());

const post = (path: string, body: object = {}): Call => ({ method: 'POST', path, body });

const OPERATIONS: [string, () => Call, number?][] = [
  ['sign-ups that succeed', () => post('/signup', { email: newEmail(), password: 'correct horse' })],
  ['anonymous sign-ups', () => post('/signup')],
  [
    'sign-ins that succeed',
    () => post('/token?grant_type=password', { email: person.email, password: 'correct horse' }),
  ],
  ['refreshes', () => post('/token?grant_type=refresh_token', { refresh_token: 'abcdefghijkl' })],
  ['ID tokens', () => post('/token?grant_type=id_token', { id_token: 'x', provider: 'google' })],
  ['wallets', () => post('/token?grant_type=web3', { chain: 'ethereum', message: 'x', signature: 'x' })],
  ['codes', () => post('/otp', { email: newEmail() })],
  ['links', () => post('/magiclink', { email: newEmail() })],
  ['recoveries', () => post('/recover', { email: newEmail() })],
  ['resent messages', () => post('/resend', { type: 'signup', email: newEmail() })],
  ['verifications', () => post('/verify', { type: 'email', email: newEmail(), token: '123456' })],
  ['changes of a user', () => ({ method: 'PUT', path: '/user', bearer: person.accessToken, body: {} })],
  ['exports', () => ({ path: '/user/export', bearer: person.accessToken })],
  ['factors', () => ({ ...post('/factors', {}), bearer: person.accessToken })],
  ['requests to reauthenticate', () => ({ path: '/reauthenticate', bearer: person.accessToken })],
  ['redirects to providers', () => ({ path: '/authorize?provider=nowhere' })],
  ['passkey challenges', () => post('/passkeys/authentication/options')],
  ['passkey verifications', () => post('/passkeys/authentication/verify')],
  ['new passkeys', () => ({ ...post('/passkeys/registration/options'), bearer: person.accessToken })],
  ['authorization requests of applications', () => ({ path: '/oauth/authorize?client_id=x' })],
  ['registrations of applications', () => post('/oauth/clients/register')],
  ['tokens of applications', () => post('/oauth/token')],
  ['rejected requests to the admin API', () => ({ path: '/admin/users', bearer: anonToken }), 100],
];

// Most of the time of a test is the delay of its rejection.
it.concurrent.each(OPERATIONS)('limits %s per client, with Retry-After', async (_, callOf, burst = BURST) => {
  const server = await startAuthServer(ENV, free, { limitsLoopback: true });
  try {
    const allowed = await Promise.all(Array.from({ length: burst }, () => send(server, callOf())));
    expect(allowed.filter(({ status }) => status === 429)).toEqual([]);
    let response = await send(server, callOf());
    // The bucket refills in the meantime.
    for (let more = 0; more < 50 && response.status !== 429; more += 1)
      response = await send(server, callOf());
    expect(response.json).toMatchObject({ code: 429, error_code: 'over_request_rate_limit' });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  } finally {
    await server.close();
  }
});

it.concurrent.each(['/verify?type=signup&token=x', '/callback?state=x'])(
  'limits %s per client, although it redirects',
  async (path) => {
    const server = await startAuthServer(ENV, free, { limitsLoopback: true });
    const open = async () => (await fetch(server.url + path, { redirect: 'manual' })).status;
    const first = await Promise.all(Array.from({ length: BURST }, open));
    expect(first.every((status) => status === 302 || status === 303)).toBe(true);
    let status = await open();
    for (let more = 0; more < 50 && status !== 429; more += 1) status = await open();
    await server.close();
    expect(status).toBe(429);
  },
);

it('does not limit loopback clients if the public URL is a loopback URL', async () => {
  const codes = () => send(free, post('/verify', { type: 'email', token_hash: crypto.randomUUID() }));
  const responses = await Promise.all(Array.from({ length: 60 }, codes));
  expect(responses.filter(({ status }) => status === 429)).toEqual([]);
});
