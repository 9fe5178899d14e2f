/** Sessions, export and deletion of the caller's own account. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFactor, addPasskey, elevateSession, entriesAbout, serviceOf } from '../testing/admin.ts';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import {
  claimsOf,
  newEmail,
  PASSWORD,
  type Person,
  refresh,
  signInPerson,
  signUpPerson,
} from '../testing/people.ts';
import { type Call, send } from '../testing/scenario.ts';

let server: AuthServer;
beforeAll(async () => {
  server = await startAuthServer({ GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true' });
});
afterAll(() => server.close());

const call = (
  { accessToken }: Pick<Person, 'accessToken'>,
  method: Call['method'],
  path: string,
  body?: Call['body'],
) =>
  send(server, {
    method: method ?? 'GET',
    path,
    bearer: accessToken,
    ...(body === undefined ? {} : { body }),
  });
const usersWith = (id: string) =>
  server.database.admin.query({ text: 'select from auth.users where id = $1', values: [id] });

const ENDPOINTS: [Call['method'], string][] = [
  ['GET', '/user/sessions'],
  ['DELETE', `/user/sessions/${randomUUID()}`],
  ['GET', '/user/export'],
  ['DELETE', '/user'],
];

it.each(ENDPOINTS)('%s %s rejects requests without a session', async (method = 'GET', path) => {
  const status = async (bearer?: string) => {
    const response = await send(server, { method, path, bearer });
    return [response.status, response.json.error_code];
  };
  const { key } = await serviceOf(server);
  expect(await status()).toEqual([401, 'no_authorization']);
  expect(await status('x')).toEqual([403, 'bad_jwt']);
  expect(await status(key)).toEqual([403, 'bad_jwt']);
  const deleted = await signUpPerson(server);
  await call(deleted, 'POST', '/logout');
  expect(await status(deleted.accessToken)).toEqual([403, 'session_not_found']);
});

describe('sessions', () => {
  it('lists all sessions and marks the current one', async () => {
    const ann = await signUpPerson(server);
    const other = await signInPerson(server, ann.email);
    await signUpPerson(server);
    const { status, json, text } = await call(ann, 'GET', '/user/sessions');
    expect(status).toBe(200);
    const current = json.map(({ id, is_current }: { id: string; is_current: boolean }) => [id, is_current]);
    expect(current).toEqual([
      [other.sessionId, false],
      [ann.sessionId, true],
    ]);
    expect(Object.keys(json[0]).sort()).toEqual(
      [
        'aal',
        'created_at',
        'id',
        'ip',
        'is_current',
        'not_after',
        'refreshed_at',
        'tag',
        'user_agent',
      ].sort(),
    );
    expect(text).not.toMatch(/hmac|token/);
  });

  it('ends one session', async () => {
    const ann = await signUpPerson(server);
    const other = await signInPerson(server, ann.email);
    expect((await call(ann, 'DELETE', `/user/sessions/${other.sessionId}`)).status).toBe(204);
    expect((await call(other, 'GET', '/user')).json.error_code).toBe('session_not_found');
    expect((await refresh(server, other.refreshToken)).status).toBe(400);
    expect(await entriesAbout(server, 'logout', ann.id)).toMatchObject([
      { actor_id: ann.id, traits: { session_id: other.sessionId } },
    ]);
    expect((await call(ann, 'DELETE', `/user/sessions/${ann.sessionId.toUpperCase()}`)).status).toBe(204);
    expect((await call(ann, 'GET', '/user')).json.error_code).toBe('session_not_found');
  });

  it('does not end a session of another user', async () => {
    const [ann, bob] = [await signUpPerson(server), await signUpPerson(server)];
    for (const id of [bob.sessionId, randomUUID()]) {
      const { status, json } = await call(ann, 'DELETE', `/user/sessions/${id}`);
      expect([status, json.error_code]).toEqual([404, 'session_not_found']);
    }
    expect((await call(bob, 'GET', '/user')).status).toBe(200);
    const { status, json } = await call(ann, 'DELETE', '/user/sessions/me');
    expect([status, json.error_code, json.msg]).toEqual([
      404,
      'validation_failed',
      'session_id must be an UUID',
    ]);
  });
});

describe('an export', () => {
  it('contains all data without secrets', async () => {
    const ann = await signUpPerson(server);
    const factorId = await addFactor(server, ann.id);
    await elevateSession(server, ann.sessionId, factorId);
    const passkeyId = await addPasskey(server, ann.id);
    const { call: admin } = await serviceOf(server);
    await admin('PUT', `/admin/users/${ann.id}`, { user_metadata: { color: 'green' } });
    await signUpPerson(server);
    const { status, headers, json, text } = await call(ann, 'GET', '/user/export');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="account.json"');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(json).toMatchObject({
      exported_at: expect.any(String),
      user: { id: ann.id, email: ann.email, user_metadata: { color: 'green' } },
      identities: [{ provider: 'email', user_id: ann.id }],
      factors: [{ id: factorId, factor_type: 'totp' }],
      sessions: [{ id: ann.sessionId }],
      passkeys: [{ id: passkeyId, friendly_name: 'Key' }],
      audit_log_complete: true,
    });
    const actors = json.audit_log.map(({ payload }: { payload: { actor_id: string } }) => payload.actor_id);
    expect(new Set(actors)).toEqual(new Set([ann.id]));
    expect(text).not.toContain('TOPSECRET');
    expect(text).not.toContain(Buffer.from('TOPSECRET').toString('base64').slice(0, 10));
    expect(text).not.toMatch(/\$2a\$|hmac|encrypted_password|refresh_token"/);
    expect(json.user).not.toHaveProperty('factors');
  });

  it('requires aal2 if the user has a second factor', async () => {
    const ann = await signUpPerson(server);
    const factorId = await addFactor(server, ann.id);
    const refused = await call(ann, 'GET', '/user/export');
    expect([refused.status, refused.json.error_code]).toEqual([403, 'insufficient_aal']);
    await elevateSession(server, ann.sessionId, factorId);
    expect((await call(ann, 'GET', '/user/export')).status).toBe(200);
  });

  it('reports a truncated audit log', async () => {
    const ann = await signUpPerson(server);
    await server.database.admin.query({
      text: `insert into auth.audit_log_entries (instance_id, id, payload, created_at)
        select gen_random_uuid(), gen_random_uuid(), json_build_object('actor_id', $1::text, 'action', 'login'), now()
        from generate_series(1, 10001)`,
      values: [ann.id],
    });
    const { json } = await call(ann, 'GET', '/user/export');
    expect([json.audit_log.length, json.audit_log_complete]).toEqual([10_000, false]);
  });
});

describe('deleting the own account', () => {
  const remove = (person: Pick<Person, 'accessToken'>, body?: Call['body']) =>
    call(person, 'DELETE', '/user', body);

  it('deletes all data and writes an audit entry', async () => {
    const ann = await signUpPerson(server);
    const other = await signInPerson(server, ann.email);
    await addPasskey(server, ann.id);
    expect((await remove(ann, { password: PASSWORD })).status).toBe(204);
    expect(await usersWith(ann.id)).toEqual([]);
    expect((await call(other, 'GET', '/user')).json.error_code).toBe('user_not_found');
    expect((await refresh(server, other.refreshToken)).status).toBe(400);
    expect(await entriesAbout(server, 'user_deleted', ann.id)).toMatchObject([
      {
        actor_id: ann.id,
        actor_username: ann.email,
        log_type: 'team',
        traits: { user_id: ann.id, user_email: ann.email },
      },
    ]);
    expect((await signUpPerson(server, ann.email)).id).not.toBe(ann.id);
  });

  it.each([
    ['a missing body', undefined, 400, 'current_password_required'],
    ['a missing password', {}, 400, 'current_password_required'],
    ['an empty password', { password: '' }, 400, 'current_password_required'],
    ['null', { password: null }, 400, 'current_password_required'],
    ['a wrong password', { password: 'wrong horse' }, 400, 'current_password_invalid'],
    ['a number', { password: 7 }, 400, 'bad_json'],
    ['an array', { password: [PASSWORD] }, 400, 'bad_json'],
    ['invalid JSON', '{', 400, 'bad_json'],
    ['NUL', { password: '\0' }, 400, 'validation_failed'],
  ])('rejects %s instead of the password', async (_, body, status, code) => {
    const ann = await signUpPerson(server);
    const response = await remove(ann, body);
    expect([response.status, response.json.error_code]).toEqual([status, code]);
    expect(await usersWith(ann.id)).toHaveLength(1);
    expect(await entriesAbout(server, 'user_deleted', ann.id)).toEqual([]);
    expect((await call(ann, 'GET', '/user')).status).toBe(200);
  });

  it('limits wrong passwords', async () => {
    const ann = await signUpPerson(server);
    const codes: string[] = [];
    for (let guess = 0; guess < 11; guess++) {
      codes.push((await remove(ann, { password: `guess ${guess}` })).json.error_code);
    }
    expect(codes).toEqual([...Array(10).fill('current_password_invalid'), 'over_request_rate_limit']);
    expect((await remove(ann, { password: PASSWORD })).json.error_code).toBe('over_request_rate_limit');
    expect(await usersWith(ann.id)).toHaveLength(1);
  });

  it('requires aal2 if the user has a second factor', async () => {
    const ann = await signUpPerson(server);
    const factorId = await addFactor(server, ann.id);
    const { status, json } = await remove(ann, { password: PASSWORD });
    expect([status, json.error_code]).toEqual([401, 'insufficient_aal']);
    expect(await usersWith(ann.id)).toHaveLength(1);
    await elevateSession(server, ann.sessionId, factorId);
    expect((await remove(ann, { password: PASSWORD })).status).toBe(204);
  });

  it('requires no password for an account without one', async () => {
    const { json } = await send(server, { method: 'POST', path: '/signup', body: {} });
    expect(claimsOf(json.access_token).is_anonymous).toBe(true);
    expect((await remove({ accessToken: json.access_token })).status).toBe(204);
    expect(await usersWith(json.user.id)).toEqual([]);
  });

  it('succeeds once for concurrent requests', async () => {
    const ann = await signUpPerson(server);
    const responses = await Promise.all(Array.from({ length: 5 }, () => remove(ann, { password: PASSWORD })));
    const outcomes = responses.map(({ status, json }) => json?.error_code ?? status);
    expect(outcomes.filter((outcome) => outcome === 204)).toHaveLength(1);
    for (const outcome of outcomes) expect([204, 'user_not_found', 'session_not_found']).toContain(outcome);
    expect(await entriesAbout(server, 'user_deleted', ann.id)).toHaveLength(1);
  });

  it('returns errors in the shape of the official client', async () => {
    const ann = await signUpPerson(server);
    const headers = { 'x-supabase-api-version': '2024-01-01' };
    const { json } = await send(server, {
      method: 'DELETE',
      path: '/user',
      headers,
      bearer: ann.accessToken,
    });
    expect(json).toEqual({
      code: 'current_password_required',
      message: 'Password required to delete the account',
    });
  });

  it('deletes an account that an admin has created', async () => {
    const { call: admin } = await serviceOf(server);
    const email = newEmail();
    await admin('POST', '/admin/users', { email, password: PASSWORD, email_confirm: true });
    const person = await signInPerson(server, email);
    expect((await remove(person, { password: PASSWORD })).status).toBe(204);
  });
});
