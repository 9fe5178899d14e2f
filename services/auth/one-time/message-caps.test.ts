/** Limits on sent messages, for every request that asks for one, with and without an account. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serviceOf } from '../testing/admin.ts';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { messagesTo } from '../testing/mailbox.ts';
import { newEmail, newPhone, PASSWORD, type Person, signUpPerson } from '../testing/people.ts';
import { type Call, send } from '../testing/scenario.ts';

const SPACED = {
  GOTRUE_SMTP_MAX_FREQUENCY: '1ms',
  GOTRUE_SMS_MAX_FREQUENCY: '1ms',
  GOTRUE_MFA_PHONE_MAX_FREQUENCY: '1ms',
  GOTRUE_MFA_PHONE_ENROLL_ENABLED: 'true',
  GOTRUE_MFA_PHONE_VERIFY_ENABLED: 'true',
};
const CONFIRMING = { ...SPACED, GOTRUE_MAILER_AUTOCONFIRM: 'false', GOTRUE_SMS_AUTOCONFIRM: 'false' };
const LEAVING = { sendsMail: true, sendsSms: true };

let base: AuthServer;
beforeAll(async () => {
  base = await startAuthServer(SPACED);
});
afterAll(() => base.close());

const post = (path: string, body: object, bearer?: string): Call => ({ method: 'POST', path, body, bearer });

/** Repeats calls until a limit rejects one. Returns the number of accepted calls and the rejection. */
async function requestUntilCapped(server: AuthServer, call: () => Call | Promise<Call>) {
  for (let accepted = 0; accepted < 40; accepted += 1) {
    const response = await send(server, await call());
    if (response.status === 429) return { accepted, response };
    expect(response.status, response.text).toBeLessThan(300);
  }
  throw new Error('no cap refused a request');
}

const MAILS: [string, () => Call][] = [
  ['sign-ups', () => post('/signup', { email: newEmail(), password: PASSWORD })],
  ['links', () => post('/magiclink', { email: newEmail() })],
  ['codes', () => post('/otp', { email: newEmail() })],
  ['recoveries, of unknown addresses too', () => post('/recover', { email: newEmail() })],
  ['resent messages, of unknown addresses too', () => post('/resend', { type: 'signup', email: newEmail() })],
];
const SMS: [string, () => Call][] = [
  ['sign-ups', () => post('/signup', { phone: newPhone(), password: PASSWORD })],
  ['codes', () => post('/otp', { phone: newPhone() })],
  ['resent messages, of unknown numbers too', () => post('/resend', { type: 'sms', phone: newPhone() })],
];

describe.each([
  ['mails', 'over_email_send_rate_limit', MAILS, 'EMAIL'],
  ['SMS', 'over_sms_send_rate_limit', SMS, 'SMS'],
] as const)('%s that are sent', (_, code, calls, name) => {
  // Most of the time of a test is the delay of its rejection.
  it.concurrent.each(calls)('are limited per client: %s', async (_way, callOf) => {
    const env = { ...CONFIRMING, [`GREENROOM_RATE_LIMIT_${name}_PER_CLIENT`]: '2' };
    const server = await startAuthServer(env, base, { ...LEAVING, limitsLoopback: true });
    const { accepted, response } = await requestUntilCapped(server, callOf);
    await server.close();
    expect([accepted, response.json.error_code]).toEqual([2, code]);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(60);
  });

  it.concurrent.each(calls)('are limited in total: %s', async (_way, callOf) => {
    const env = { ...CONFIRMING, [`GOTRUE_RATE_LIMIT_${name}_SENT`]: '2' };
    const server = await startAuthServer(env, base, LEAVING);
    const { accepted, response } = await requestUntilCapped(server, callOf);
    await server.close();
    expect([accepted, response.json.error_code]).toEqual([2, code]);
  });

  it.concurrent.each(calls)('are not limited if they are kept in the mailbox: %s', async (_way, callOf) => {
    const env = { ...CONFIRMING, [`GOTRUE_RATE_LIMIT_${name}_SENT`]: '2' };
    const server = await startAuthServer(env, base);
    const responses = [];
    for (let index = 0; index < 4; index += 1) responses.push((await send(server, callOf())).status);
    await server.close();
    expect(responses).toEqual([200, 200, 200, 200]);
  });
});

it.each([
  ['/otp', {}],
  ['/magiclink', {}],
  ['/recover', {}],
])('the limit per recipient does not depend on an account or on autoconfirm: %s', async (path) => {
  const env = { ...SPACED, GREENROOM_RATE_LIMIT_EMAIL_PER_RECIPIENT: '2' };
  const server = await startAuthServer(env, base, LEAVING);
  const { email: known } = await signUpPerson(base);
  const unknown = newEmail();
  for (const email of [known, unknown]) {
    const { accepted, response } = await requestUntilCapped(server, () => post(path, { email }));
    expect([accepted, response.json.error_code]).toEqual([2, 'over_email_send_rate_limit']);
  }
  expect(await messagesTo(server, known)).toHaveLength(2);
  await server.close();
});

describe('messages of signed-in users', () => {
  let person: Person;
  const env = { ...CONFIRMING, GOTRUE_RATE_LIMIT_EMAIL_SENT: '3', GOTRUE_RATE_LIMIT_SMS_SENT: '3' };
  beforeAll(async () => {
    person = await signUpPerson(base);
  });

  async function phoneFactor(): Promise<string> {
    const body = { factor_type: 'phone', phone: newPhone(), friendly_name: newEmail() };
    return (await send(base, post('/factors', body, person.accessToken))).json.id;
  }

  it.each<[string, number, () => Call | Promise<Call>]>([
    ['two mails of a change of address', 1, () => put({ email: newEmail() })],
    ['an SMS of a change of number', 3, () => put({ phone: newPhone() })],
    ['a mail to reauthenticate', 3, () => ({ path: '/reauthenticate', bearer: person.accessToken })],
    [
      'an SMS of a second factor',
      3,
      async () => post(`/factors/${await phoneFactor()}/challenge`, {}, person.accessToken),
    ],
  ])('are counted: %s', async (_, max, callOf) => {
    const server = await startAuthServer(env, base, LEAVING);
    const { accepted } = await requestUntilCapped(server, callOf);
    await server.close();
    expect(accepted).toBe(max);
  });

  function put(body: object): Call {
    return { method: 'PUT', path: '/user', body, bearer: person.accessToken };
  }
});

it('invitations count only for the total', async () => {
  const env = {
    ...CONFIRMING,
    GOTRUE_RATE_LIMIT_EMAIL_SENT: '3',
    GREENROOM_RATE_LIMIT_EMAIL_PER_CLIENT: '1',
  };
  const server = await startAuthServer(env, base, { ...LEAVING, limitsLoopback: true });
  const { key } = await serviceOf(server);
  const { accepted } = await requestUntilCapped(server, () => post('/invite', { email: newEmail() }, key));
  await server.close();
  expect(accepted).toBe(3);
});

it("a resent message to a new address is dropped silently above that address's limit", async () => {
  const env = { ...CONFIRMING, GREENROOM_RATE_LIMIT_EMAIL_PER_RECIPIENT: '2' };
  const server = await startAuthServer(env, base, LEAVING);
  const person = await signUpPerson(base);
  const next = newEmail();
  const change = { method: 'PUT', path: '/user', body: { email: next }, bearer: person.accessToken } as const;
  expect((await send(server, change)).status).toBe(200);
  expect((await send(server, post('/recover', { email: next }))).status).toBe(200);
  const again = await send(server, post('/resend', { type: 'email_change', email: person.email }));
  expect(again.status).toBe(200);
  expect(await messagesTo(server, next)).toHaveLength(1);
  await server.close();
});

describe('allowed countries of SMS', () => {
  it.each([
    ['49,1,!1876', '4915112345678', true],
    ['49,1,!1876', '12125550100', true],
    ['49,1,!1876', '18765550100', false],
    ['49,1,!1876', '33612345678', false],
    ['+49', '4915112345678', true],
  ])('%s: %s is allowed: %s', async (countries, phone, isAllowed) => {
    const server = await startAuthServer({ ...CONFIRMING, GREENROOM_SMS_COUNTRIES: countries }, base);
    const calls = [
      post('/otp', { phone }),
      post('/signup', { phone, password: PASSWORD }),
      post('/resend', { type: 'sms', phone }),
    ];
    for (const call of calls) {
      const { status, json } = await send(server, call);
      expect([status, json.error_code]).toEqual(isAllowed ? [200, undefined] : [422, 'sms_send_failed']);
    }
    await server.close();
  });
});
