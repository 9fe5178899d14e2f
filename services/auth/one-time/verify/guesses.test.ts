/** Guesses of codes and links: attempts per code, where failures are counted, and independence of link and code. */
import { createHash } from 'node:crypto';
import { recordFlushes } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serviceOf } from '../../testing/admin.ts';
import { type AuthServer, startAuthServer, waitForLock } from '../../testing/auth-server.ts';
import { latestTo, openLink } from '../../testing/mailbox.ts';
import { newEmail, newPhone, PASSWORD, signUpPerson } from '../../testing/people.ts';
import { authContext, authRequest } from '../../testing/request.ts';
import { send } from '../../testing/scenario.ts';
import { hashCode } from '../code.ts';
import { countWrongCode, type LockedToken, lockCodesOf } from '../statements.ts';
import { verifyGet, verifyPost } from '../verify.ts';

const QUICK = {
  GOTRUE_SMTP_MAX_FREQUENCY: '1ms',
  GOTRUE_SMS_MAX_FREQUENCY: '1ms',
  GOTRUE_RATE_LIMIT_EMAIL_SENT: '10000',
  GOTRUE_RATE_LIMIT_SMS_SENT: '10000',
  GOTRUE_MAILER_AUTOCONFIRM: 'false',
  GOTRUE_SMS_AUTOCONFIRM: 'false',
};

let confirmed: AuthServer;
let server: AuthServer;
let other: AuthServer;
beforeAll(async () => {
  confirmed = await startAuthServer();
  server = await startAuthServer(QUICK, confirmed);
  other = await startAuthServer(QUICK, confirmed);
});
afterAll(async () => {
  await other.close();
  await server.close();
  await confirmed.close();
});

type Address = { email: string } | { phone: string };

const post = (path: string, body: object, on = server) => send(on, { method: 'POST', path, body });
const textOf = (address: Address): string => Object.values(address)[0] ?? '';
const wrong = (code: string) => String((Number(code) + 1) % 10 ** code.length).padStart(code.length, '0');
const query = (text: string, ...values: unknown[]) =>
  server.database.admin.query<Record<string, number>>({ text, values });
const failuresAt = async (address: string) => {
  const rows = await query('select failures from auth.one_time_tokens where relates_to = $1', address);
  return rows.map(({ failures }) => failures);
};

async function changing(changes: Record<string, string>) {
  const ann = await signUpPerson(confirmed);
  await send(server, { method: 'PUT', path: '/user', bearer: ann.accessToken, body: changes });
  return ann;
}

/** Requests a code; returns the address it was sent to. */
const MESSAGES: Record<string, { type: string; send: () => Promise<Address> }> = {
  'a sign-up': {
    type: 'signup',
    async send() {
      const email = newEmail();
      await post('/signup', { email, password: PASSWORD });
      return { email };
    },
  },
  'an invitation': {
    type: 'invite',
    async send() {
      const email = newEmail();
      await (await serviceOf(server)).call('POST', '/invite', { email });
      return { email };
    },
  },
  'a recovery': {
    type: 'recovery',
    async send() {
      const { email } = await signUpPerson(confirmed);
      await post('/recover', { email });
      return { email };
    },
  },
  'a magic link': {
    type: 'email',
    async send() {
      const { email } = await signUpPerson(confirmed);
      await post('/otp', { email });
      return { email };
    },
  },
  'a change of address, to the new one': {
    type: 'email_change',
    async send() {
      const email = newEmail();
      await changing({ email });
      return { email };
    },
  },
  'a change of address, to the current one': {
    type: 'email_change',
    async send() {
      const { email } = await changing({ email: newEmail() });
      return { email };
    },
  },
  'an SMS': {
    type: 'sms',
    async send() {
      const phone = newPhone();
      await post('/otp', { phone });
      return { phone };
    },
  },
  'a change of number': {
    type: 'phone_change',
    async send() {
      const phone = newPhone();
      await changing({ phone });
      return { phone };
    },
  },
};

describe.each(Object.entries(MESSAGES))('the code of %s', (_, message) => {
  const begin = async () => {
    const address = await message.send();
    const { code, token } = await latestTo(server, textOf(address));
    expect(code).toMatch(/^\d{6}$/);
    const guess = (guessed: string, on = server) =>
      post('/verify', { type: message.type, ...address, token: guessed }, on);
    return { address, code, token, guess };
  };

  it('is void after ten wrong ones at any nodes, and its link stays valid', async () => {
    const { address, code, token, guess } = await begin();
    for (let index = 0; index < 10; index += 1) {
      const refused = await guess(wrong(code), index % 2 === 0 ? server : other);
      expect([refused.status, refused.json.error_code]).toEqual([403, 'otp_expired']);
    }
    expect(await failuresAt(textOf(address))).toEqual([10]);
    expect((await guess(code)).status).toBe(403);
    expect((await guess(code, other)).status).toBe(403);
    if (token === '') return;
    expect((await post('/verify', { type: message.type, token_hash: token })).status).toBe(200);
  });

  it('is accepted after nine wrong ones', async () => {
    const { code, guess } = await begin();
    for (let index = 0; index < 9; index += 1) await guess(wrong(code));
    expect((await guess(code)).status).toBe(200);
  });

  it('counts a hundred concurrent wrong ones', async () => {
    const { address, code, guess } = await begin();
    await Promise.all(Array.from({ length: 100 }, () => guess(wrong(code))));
    expect(await failuresAt(textOf(address))).toEqual([100]);
    expect((await guess(code)).status).toBe(403);
  });
});

describe('a code', () => {
  it('counts guesses from many client addresses together', async () => {
    const address = await MESSAGES['a recovery']?.send();
    const email = textOf(address as Address);
    const { code } = await latestTo(server, email);
    const context = authContext(server);
    const guess = (token: string, network: number) =>
      verifyPost(
        context,
        authRequest({ body: { type: 'recovery', email, token }, address: `203.0.113.${network}` }),
      );
    for (let index = 0; index < 10; index += 1) {
      await expect(guess(wrong(code), index)).rejects.toMatchObject({ code: 'otp_expired' });
    }
    await expect(guess(code, 99)).rejects.toMatchObject({ code: 'otp_expired', status: 403 });
  });

  it('is not compared before earlier attempts are counted', async () => {
    const { email } = await signUpPerson(confirmed);
    await post('/recover', { email });
    const { code } = await latestTo(server, email);
    await query('update auth.one_time_tokens set failures = 9 where relates_to = $1', email);
    const response = await server.database.auth.transaction(async (tx) => {
      const [locked] = await tx.query<LockedToken>(lockCodesOf(email, ['recovery_token'], 'authenticated'));
      const pending = post('/verify', { type: 'recovery', email, token: code });
      await waitForLock(server);
      await tx.commit([countWrongCode([locked?.token_id ?? ''], new Date())]);
      return pending;
    });
    expect(response.status).toBe(403);
  });

  it('replaces a void code', async () => {
    const email = newEmail();
    await post('/signup', { email, password: PASSWORD });
    const first = await latestTo(server, email);
    for (let index = 0; index < 10; index += 1) {
      await post('/verify', { type: 'signup', email, token: wrong(first.code) });
    }
    await post('/resend', { type: 'signup', email });
    const { code } = await latestTo(server, email);
    expect((await post('/verify', { type: 'signup', email, token: code })).status).toBe(200);
  });

  it('is not compared after a hundred wrong ones in a day, until the day is over', async () => {
    const { email } = await signUpPerson(confirmed);
    const recover = async () => {
      await post('/recover', { email });
      return latestTo(server, email);
    };
    const first = await recover();
    await post('/verify', { type: 'recovery', email, token: wrong(first.code) });
    await query('update auth.one_time_tokens set day_failures = 100 where relates_to = $1', email);
    const { code } = await recover();
    const verify = () => post('/verify', { type: 'recovery', email, token: code });
    expect((await verify()).status).toBe(403);
    await query(
      `update auth.one_time_tokens set day_began_at = now() - interval '24 hours 1 second' where relates_to = $1`,
      email,
    );
    expect((await verify()).status).toBe(200);
  });

  it('needs two flushes if it is wrong', async () => {
    const { email } = await signUpPerson(confirmed);
    await post('/recover', { email });
    const { code } = await latestTo(server, email);
    const flushes: string[] = [];
    const context = authContext(server, { database: recordFlushes(server.database.auth, flushes) });
    const request = authRequest({ body: { type: 'recovery', email, token: wrong(code) } });
    await expect(verifyPost(context, request)).rejects.toMatchObject({ code: 'otp_expired' });
    expect(flushes).toEqual(['begin and query', 'writes and commit']);
  });
});

describe('the token of a link', () => {
  const begin = async () => {
    const { email } = await signUpPerson(confirmed);
    await post('/recover', { email });
    return { email, ...(await latestTo(server, email)) };
  };
  const byLink = (token_hash: string) => post('/verify', { type: 'recovery', token_hash });
  const refusedLink = { status: 403, json: { error_code: 'otp_expired' } };

  it('does not follow from the code', async () => {
    const { email, code, token } = await begin();
    expect(token).toMatch(/^[0-9a-f]{56}$/);
    for (const guess of [code, hashCode(email, code), `pkce_${hashCode(email, code)}`]) {
      expect(await byLink(guess)).toMatchObject(refusedLink);
      const opened = await openLink(server, `http://x/?type=recovery&token=${guess}`);
      expect({ ...opened.fragment, ...opened.query }).toMatchObject({ error_code: 'otp_expired' });
    }
    expect((await byLink(token)).status).toBe(200);
  });

  it('is different in every message', async () => {
    const { email, token } = await begin();
    await post('/recover', { email });
    expect((await latestTo(server, email)).token).not.toBe(token);
    expect(await byLink(token)).toMatchObject(refusedLink);
  });

  it('is not stored, and no stored value is accepted as one', async () => {
    const { email, code, token } = await begin();
    const rows = await server.database.admin.query<Record<string, string>>({
      text: `select to_json(u)::text as account, to_json(t)::text as stored, u.recovery_token, t.token_hash, t.code_hash
        from auth.users u join auth.one_time_tokens t on t.user_id = u.id where u.email = $1`,
      values: [email],
    });
    const [row = {}] = rows;
    for (const text of [row.account, row.stored]) {
      expect(text).not.toContain(token);
      expect(text).not.toContain(`"${code}"`);
    }
    for (const stored of [row.recovery_token, row.token_hash, row.code_hash]) {
      expect(await byLink(stored ?? '')).toMatchObject(refusedLink);
    }
    expect(row.token_hash).toBe(createHash('sha256').update(token).digest('hex'));
  });

  it('has with PKCE its prefix, and is invalid without it', async () => {
    const { email } = await signUpPerson(confirmed);
    await post('/recover', { email, code_challenge: 'c'.repeat(43), code_challenge_method: 'plain' });
    const { token, link } = await latestTo(server, email);
    expect(token).toMatch(/^pkce_[0-9a-f]{56}$/);
    expect(await byLink(token.slice('pkce_'.length))).toMatchObject(refusedLink);
    expect((await openLink(server, link ?? '')).query.code).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('created by an admin is independent of its code', async () => {
    const { email } = await signUpPerson(confirmed);
    const { call } = await serviceOf(server);
    const { json } = await call('POST', '/admin/generate_link', { type: 'magiclink', email });
    expect(json.hashed_token).toMatch(/^[0-9a-f]{56}$/);
    expect(json.hashed_token).not.toBe(hashCode(email, json.email_otp));
    expect(new URL(json.action_link).searchParams.get('token')).toBe(json.hashed_token);
    for (let index = 0; index < 10; index += 1) {
      await post('/verify', { type: 'magiclink', email, token: wrong(json.email_otp) });
    }
    const byCode = await post('/verify', { type: 'magiclink', email, token: json.email_otp });
    expect(byCode.status).toBe(403);
    const used = await post('/verify', { type: 'magiclink', token_hash: json.hashed_token });
    expect(used.status).toBe(200);
  });

  it('can be tried thirty times by one client', async () => {
    const context = authContext(server);
    const open = (guess: number) =>
      verifyGet(
        context,
        authRequest({
          query: `type=magiclink&token=${String(guess).padStart(56, '0')}`,
          address: '203.0.113.7',
        }),
      );
    for (let guess = 0; guess < 30; guess += 1) {
      const { headers } = await open(guess);
      expect(headers?.location).toContain('error_code=otp_expired');
    }
    await expect(open(30)).rejects.toMatchObject({ code: 'over_request_rate_limit' });
  });
});

describe('a fixed test code', () => {
  it('is accepted after any number of wrong ones', async () => {
    const phone = newPhone();
    const fixed = await startAuthServer({ ...QUICK, GOTRUE_SMS_TEST_OTP: `${phone}=123456` }, confirmed);
    await post('/otp', { phone }, fixed);
    const verify = (token: string) => post('/verify', { type: 'sms', phone, token }, fixed);
    for (let index = 0; index < 12; index += 1) expect((await verify('654321')).status).toBe(403);
    expect((await verify('123456')).status).toBe(200);
    await fixed.close();
  });
});

describe('the code of a reauthentication', () => {
  it('is void after ten wrong ones', async () => {
    const env = { ...QUICK, GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION: 'true' };
    const strict = await startAuthServer(env, confirmed);
    const ann = await signUpPerson(confirmed);
    await query(
      `update auth.sessions set created_at = now() - interval '25 hours' where id = $1`,
      ann.sessionId,
    );
    await send(strict, { path: '/reauthenticate', bearer: ann.accessToken });
    const { code } = await latestTo(server, ann.email);
    const change = (nonce: string) =>
      send(strict, {
        method: 'PUT',
        path: '/user',
        bearer: ann.accessToken,
        body: { password: 'a new horse', nonce },
      });
    for (let index = 0; index < 10; index += 1) {
      expect((await change(wrong(code))).json.error_code).toBe('reauthentication_not_valid');
    }
    expect(await failuresAt(ann.email)).toEqual([10]);
    expect((await change(code)).json.error_code).toBe('reauthentication_not_valid');
    await strict.close();
  });
});
