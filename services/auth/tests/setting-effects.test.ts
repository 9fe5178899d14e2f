/** Effects of settings on the running service that the tests of its parts do not show, because they use the defaults. */
import type { ConfigSource } from '@greenroom/config';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { createAuthenticator } from '../testing/authenticator.ts';
import { latestTo, messagesTo } from '../testing/mailbox.ts';
import { claimsOf, newEmail, newPhone, type Person, signUpPerson } from '../testing/people.ts';
import { type Call, send } from '../testing/scenario.ts';

const CODES = {
  GOTRUE_MAILER_OTP_LENGTH: '8',
  GOTRUE_MAILER_OTP_EXP: '7200',
  GOTRUE_SMS_OTP_LENGTH: '9',
  GOTRUE_SMS_OTP_EXP: '600',
  GOTRUE_MFA_PHONE_OTP_LENGTH: '7',
};
const FACTORS = { GOTRUE_MFA_PHONE_ENROLL_ENABLED: 'true', GOTRUE_MFA_PHONE_VERIFY_ENABLED: 'true' };

/** With the defaults. */
let plain: AuthServer;
/** With other codes. */
let other: AuthServer;
const nodes: AuthServer[] = [];

/** Starts another node of the same database. */
async function startNode(env: ConfigSource): Promise<AuthServer> {
  const node = await startAuthServer(env, plain);
  nodes.push(node);
  return node;
}

beforeAll(async () => {
  plain = await startAuthServer(FACTORS);
  other = await startNode({ ...FACTORS, ...CODES });
});
afterAll(async () => {
  for (const node of nodes) await node.close();
  await plain?.close();
});

const post = (on: AuthServer, path: string, body: object, bearer?: string) =>
  send(on, { method: 'POST', path, body, bearer } satisfies Call);

/** Adds a phone number as second factor. */
async function phoneFactor(person: Person): Promise<{ id: string; phone: string }> {
  const phone = newPhone();
  const body = { factor_type: 'phone', phone, friendly_name: phone };
  const { json } = await post(plain, '/factors', body, person.accessToken);
  return { id: json.id, phone };
}

it('access tokens have the configured lifetime and issuer', async () => {
  const node = await startNode({ GOTRUE_JWT_EXP: '120', GOTRUE_JWT_ISSUER: 'https://issuer.example' });
  const { accessToken } = await signUpPerson(node);
  const { iss, exp, iat } = claimsOf(accessToken);
  expect([iss, exp - iat]).toEqual(['https://issuer.example', 120]);
});

describe('codes', () => {
  it('in mails have the configured number of digits', async () => {
    const email = newEmail();
    await post(other, '/otp', { email });
    expect((await latestTo(plain, email)).code).toMatch(/^\d{8}$/);
  });

  it('in SMS have the configured number of digits', async () => {
    const phone = newPhone();
    await post(other, '/otp', { phone });
    expect((await latestTo(plain, phone)).code).toMatch(/^\d{9}$/);
  });

  it('of phone factors have the configured number of digits', async () => {
    const person = await signUpPerson(plain);
    const { id, phone } = await phoneFactor(person);
    await post(other, `/factors/${id}/challenge`, {}, person.accessToken);
    expect((await latestTo(plain, phone)).code).toMatch(/^\d{7}$/);
  });

  it.each([
    ['mails', 'email', '90 minutes'],
    ['SMS', 'phone', '5 minutes'],
  ] as const)('in %s are valid for the configured time', async (_, kind, age) => {
    const verifyOldCode = async (on: AuthServer) => {
      const address = kind === 'email' ? newEmail() : newPhone();
      await post(on, '/otp', { [kind]: address });
      const { code } = await latestTo(plain, address);
      await plain.database.admin.query({
        text: `update auth.users set confirmation_sent_at = now() - $2::interval,
            recovery_sent_at = now() - $2::interval where ${kind} = $1`,
        values: [address, age],
      });
      const type = kind === 'email' ? 'email' : 'sms';
      return (await post(on, '/verify', { type, [kind]: address, token: code })).status;
    };
    expect([await verifyOldCode(plain), await verifyOldCode(other)]).toEqual([403, 200]);
  });
});

it('SMS of a phone factor have the configured minimum time between them', async () => {
  const quick = await startNode({ ...FACTORS, GOTRUE_MFA_PHONE_MAX_FREQUENCY: '1ms' });
  const person = await signUpPerson(plain);
  const { id, phone } = await phoneFactor(person);
  const challenge = async (on: AuthServer) =>
    (await post(on, `/factors/${id}/challenge`, {}, person.accessToken)).status;
  expect([await challenge(quick), await challenge(quick)]).toEqual([200, 200]);
  expect(await messagesTo(plain, phone)).toHaveLength(2);
  expect(await challenge(plain)).toBe(429);
});

it('passkeys are for the configured domain, name and origins', async () => {
  const node = await startNode({
    SITE_URL: 'https://room.example',
    GOTRUE_WEBAUTHN_RP_ID: 'shop.example',
    GOTRUE_WEBAUTHN_RP_DISPLAY_NAME: 'Shop',
    GOTRUE_WEBAUTHN_RP_ORIGINS: 'https://app.shop.example,https://login.shop.example',
  });
  const register = async (origin: string) => {
    const { accessToken } = await signUpPerson(node);
    const { json } = await post(node, '/passkeys/registration/options', {}, accessToken);
    expect(json.options.rp).toEqual({ id: 'shop.example', name: 'Shop' });
    const credential = createAuthenticator(origin, 'shop.example').create(json.options);
    const body = { challenge_id: json.challenge_id, credential };
    return (await post(node, '/passkeys/registration/verify', body, accessToken)).status;
  };
  expect(await register('https://login.shop.example')).toBe(200);
  expect(await register('https://room.example')).toBe(400);
});
