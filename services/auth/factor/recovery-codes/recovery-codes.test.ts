/** Recovery codes over HTTP. */
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serviceOf } from '../../testing/admin.ts';
import { type AuthServer, startAuthServer, waitForLock } from '../../testing/auth-server.ts';
import { claimsOf, type Person, refresh, signInPerson, signUpPerson } from '../../testing/people.ts';
import { type Call, send } from '../../testing/scenario.ts';
import { hashRecoveryCode, randomRecoveryCode } from './code.ts';

let server: AuthServer;
beforeAll(async () => {
  server = await startAuthServer({ GOTRUE_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY: '10000' });
});
afterAll(() => server.close());

const PATH = '/factors/recovery-codes';
type Token = Pick<Person, 'accessToken'>;
const call = ({ accessToken }: Token, method: Call['method'], path: string, body?: object) =>
  send(server, { method: method ?? 'GET', path, bearer: accessToken, ...(body && { body }) });
const show = async (person: Token) => (await call(person, 'GET', PATH)).json;
const use = (person: Token, code: string) => call(person, 'POST', `${PATH}/verify`, { code });
const query = (text: string, ...values: unknown[]) =>
  server.database.admin.query<Record<string, unknown>>({ text, values });

/** A user at aal2 with a verified app. */
async function withApp() {
  const ann = await signUpPerson(server);
  const { json: factor } = await call(ann, 'POST', '/factors', { factor_type: 'totp' });
  const { json: challenge } = await call(ann, 'POST', `/factors/${factor.id}/challenge`, {});
  const code = new TOTP({ secret: Secret.fromBase32(factor.totp.secret) }).generate();
  const { json } = await call(ann, 'POST', `/factors/${factor.id}/verify`, {
    challenge_id: challenge.id,
    code,
  });
  return { ...ann, accessToken: json.access_token as string, factorId: factor.id as string };
}

/** A user with an app and recovery codes, and another session at aal1. */
async function withCodes() {
  const ann = await withApp();
  const { json } = await call(ann, 'POST', PATH, {});
  return { ann, codes: json.codes as string[], low: await signInPerson(server, ann.email) };
}

describe('a set of recovery codes', () => {
  it('has ten codes, which are returned once and stored as hashes only', async () => {
    const ann = await withApp();
    expect(await show(ann)).toEqual({ total: 10, remaining: 0, created_at: null });
    const { status, headers, json } = await call(ann, 'POST', PATH, {});
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(json.codes).toHaveLength(10);
    for (const code of json.codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/);
    expect(new Set(json.codes).size).toBe(10);
    const shown = await call(ann, 'GET', PATH);
    expect(shown.json).toEqual({ total: 10, remaining: 10, created_at: expect.any(String) });
    const [row] = await query('select r::text as row from auth.recovery_codes r where user_id = $1', ann.id);
    const [audit] = await query(
      `select string_agg(payload::text, '') as log from auth.audit_log_entries where payload ->> 'actor_id' = $1`,
      ann.id,
    );
    for (const code of json.codes as string[]) {
      for (const text of [shown.text, row?.row, audit?.log]) {
        expect(text).not.toContain(code);
        expect(text).not.toContain(code.replace('-', ''));
      }
    }
    expect(audit?.log).toContain('recovery_codes_created');
  });

  it('replaces the previous set', async () => {
    const { ann, codes, low } = await withCodes();
    await call(ann, 'POST', PATH, {});
    expect((await use(low, codes[0] ?? '')).json.error_code).toBe('mfa_verification_failed');
    expect(await show(ann)).toMatchObject({ remaining: 10 });
  });

  it('requires a verified factor and a session at aal2', async () => {
    const bob = await signUpPerson(server);
    expect((await call(bob, 'POST', PATH, {})).json).toMatchObject({ error_code: 'mfa_factor_not_found' });
    await call(bob, 'POST', '/factors', { factor_type: 'totp' });
    expect((await call(bob, 'POST', PATH, {})).status).toBe(422);
    const { low } = await withCodes();
    const refused = await call(low, 'POST', PATH, {});
    expect([refused.status, refused.json.error_code]).toEqual([403, 'insufficient_aal']);
  });

  it('is not created for a session that ends concurrently', async () => {
    const ann = await withApp();
    const making = await server.database.admin.transaction(async (blocker) => {
      await blocker.query({
        text: 'select from auth.sessions where id = $1 for update',
        values: [ann.sessionId],
      });
      const sent = call(ann, 'POST', PATH, {});
      await waitForLock(server);
      await blocker.commit([{ text: 'delete from auth.sessions where id = $1', values: [ann.sessionId] }]);
      return [sent];
    });
    const [response] = await Promise.all(making);
    expect([response?.status, response?.json.error_code]).toEqual([403, 'session_not_found']);
    expect(await query('select from auth.recovery_codes where user_id = $1', ann.id)).toEqual([]);
  });

  it('rejects applications, anonymous users, and requests without a token', async () => {
    const { ann } = await withCodes();
    const claims = claimsOf(ann.accessToken);
    const application = { accessToken: await server.keys.sign({ ...claims, client_id: claims.sub }) };
    for (const [method, path] of [
      ['GET', PATH],
      ['POST', PATH],
      ['POST', `${PATH}/verify`],
    ] as const) {
      const body = method === 'GET' ? {} : { body: {} };
      expect((await send(server, { method, path, ...body })).status).toBe(401);
      expect((await send(server, { method, path, bearer: application.accessToken, ...body })).status).toBe(
        403,
      );
    }
  });

  it.each(['DELETE /factors/ID', 'DELETE FROM'])('is deleted with the last factor (%s)', async (method) => {
    const { ann } = await withCodes();
    if (method === 'DELETE FROM') await query('delete from auth.mfa_factors where user_id = $1', ann.id);
    else expect((await call(ann, 'DELETE', `/factors/${ann.factorId}`)).status).toBe(200);
    expect(await query('select from auth.recovery_codes where user_id = $1', ann.id)).toEqual([]);
  });

  it('stays while another factor is verified', async () => {
    const { ann } = await withCodes();
    await query(
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at)
        values (gen_random_uuid(), $1, 'other', 'webauthn', 'verified', now(), now())`,
      ann.id,
    );
    await query('delete from auth.mfa_factors where id = $1', ann.factorId);
    expect(await query('select from auth.recovery_codes where user_id = $1', ann.id)).toHaveLength(1);
  });
});

describe('a recovery code', () => {
  it('raises the session to aal2 once', async () => {
    const { ann, codes, low } = await withCodes();
    const lower = await signInPerson(server, ann.email);
    const { status, json, headers } = await use(low, ` ${codes[3]?.toUpperCase().replace('-', ' ')} `);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(claimsOf(json.access_token)).toMatchObject({
      aal: 'aal2',
      session_id: claimsOf(low.accessToken).session_id,
      amr: [{ method: 'recovery_code' }, { method: 'password' }],
    });
    const renewed = await refresh(server, json.refresh_token);
    expect(claimsOf(renewed.json.access_token)).toMatchObject({ aal: 'aal2' });
    expect((await call(lower, 'GET', '/user')).json.error_code).toBe('session_not_found');
    expect(await show({ accessToken: json.access_token })).toMatchObject({ remaining: 9 });
    const again = await use(await signInPerson(server, ann.email), codes[3] ?? '');
    expect([again.status, again.json.error_code]).toEqual([422, 'mfa_verification_failed']);
  });

  it.each(['owner', 'admin'])('is rejected after the %s has deleted the last factor', async (by) => {
    const { ann, codes, low } = await withCodes();
    const { json } = await use(low, codes[0] ?? '');
    const service = { accessToken: (await serviceOf(server)).key };
    const removed = await (by === 'owner'
      ? call(ann, 'DELETE', `/factors/${ann.factorId}`)
      : call(service, 'DELETE', `/admin/users/${ann.id}/factors/${ann.factorId}`));
    expect(removed.status, removed.text).toBe(200);
    expect(await query('select distinct aal from auth.sessions where user_id = $1', ann.id)).toEqual([
      { aal: 'aal1' },
    ]);
    const renewed = await refresh(server, json.refresh_token);
    expect(claimsOf(renewed.json.access_token)).toMatchObject({ aal: 'aal1', amr: [{ method: 'password' }] });
  });

  it('is accepted while another factor is verified', async () => {
    const { ann, codes, low } = await withCodes();
    await query(
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at)
        values (gen_random_uuid(), $1, 'other', 'webauthn', 'verified', now(), now())`,
      ann.id,
    );
    const { json } = await use(low, codes[0] ?? '');
    expect((await call(ann, 'DELETE', `/factors/${ann.factorId}`)).status).toBe(200);
    const renewed = await refresh(server, json.refresh_token);
    expect(claimsOf(renewed.json.access_token)).toMatchObject({ aal: 'aal2' });
  });

  it('does not deadlock with the deletion of the last factor', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { ann, codes, low } = await withCodes();
      const responses = await Promise.all([
        use(low, codes[0] ?? ''),
        call(ann, 'DELETE', `/factors/${ann.factorId}`),
      ]);
      for (const { status, text } of responses) expect(status, text).toBeLessThan(500);
      const levels = await query('select distinct aal from auth.sessions where user_id = $1', ann.id);
      expect(levels).toEqual([{ aal: 'aal1' }]);
    }
  });

  it('is consumed by one of several concurrent requests', async () => {
    const { ann, codes } = await withCodes();
    const sessions = await Promise.all(Array.from({ length: 5 }, () => signInPerson(server, ann.email)));
    const responses = await Promise.all(sessions.map((session) => use(session, codes[0] ?? '')));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, text } of responses) expect(status, text).toBeLessThan(500);
  });

  it('of another user is rejected', async () => {
    const { codes } = await withCodes();
    const { low } = await withCodes();
    expect((await use(low, codes[0] ?? '')).json.error_code).toBe('mfa_verification_failed');
  });

  it('allows ten wrong codes from any address, and then ten per hour', async () => {
    const { ann, codes, low } = await withCodes();
    const guesses = await Promise.all(Array.from({ length: 15 }, () => use(low, randomRecoveryCode())));
    expect(guesses.filter(({ status }) => status === 422)).toHaveLength(10);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(5);
    expect((await use(low, codes[0] ?? '')).json.error_code).toBe('over_request_rate_limit');
    // New codes do not reset the count.
    const { json } = await call(ann, 'POST', PATH, {});
    expect((await use(low, json.codes[0])).status).toBe(429);
    await query(
      `update auth.recovery_codes set failed_at = now() - interval '10 minutes' where user_id = $1`,
      ann.id,
    );
    expect((await use(low, json.codes[0])).status).toBe(200);
  });

  it.each([
    [{}, 'validation_failed'],
    [{ code: '' }, 'validation_failed'],
    [{ code: 7 }, 'bad_json'],
    [{ code: 'x'.repeat(10_000) }, 'mfa_verification_failed'],
    [{ code: '\0' }, 'validation_failed'],
    [{ code: 'ß\u2028😀-00000' }, 'mfa_verification_failed'],
  ])('rejects %j', async (body, code) => {
    const { low } = await withCodes();
    const { status, json } = await call(low, 'POST', `${PATH}/verify`, body);
    expect(json.error_code).toBe(code);
    expect(status).toBeLessThan(500);
  });
});

describe('hashRecoveryCode', () => {
  const key = Buffer.alloc(32, 1);
  it('accepts the notations that users type', () => {
    const hash = hashRecoveryCode('01abc-defgh', 'u', key);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    for (const text of ['01ABCDEFGH', 'oiabc defgh', 'OLABC-DEFGH', ' 01abc-defgh ']) {
      expect(hashRecoveryCode(text, 'u', key)).toBe(hash);
    }
  });

  it('depends on the user and on the key', () => {
    const hashes = [
      hashRecoveryCode('01abc-defgh', 'u', key),
      hashRecoveryCode('01abc-defgh', 'v', key),
      hashRecoveryCode('01abc-defgh', 'u', Buffer.alloc(32, 2)),
    ];
    expect(new Set(hashes).size).toBe(3);
  });

  it.each(['', '0', '01abc-defg', '01abc-defghj', '01abc-defgu'])('returns undefined for %j', (text) => {
    expect(hashRecoveryCode(text, 'u', key)).toBeUndefined();
  });
});
