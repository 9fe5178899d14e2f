import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthServer, startAuthServer, waitForLock } from '../testing/auth-server.ts';
import { claimsOf, newEmail, type Person, refresh, signInPerson, signUpPerson } from '../testing/people.ts';
import { authContext, authRequest } from '../testing/request.ts';
import { play, type Scenario, send } from '../testing/scenario.ts';
import { refreshSession } from './refresh.ts';
import { deriveRefreshToken, hashRefreshToken } from './refresh-token.ts';

let server: AuthServer;
const others: AuthServer[] = [];

beforeAll(async () => {
  // Under load, the last of many requests waits long.
  server = await startAuthServer({ GOTRUE_API_MAX_REQUEST_DURATION: '60s' });
});
afterAll(async () => {
  for (const other of others) await other.close();
  await server.close();
});

async function startWith(env: Record<string, string>): Promise<AuthServer> {
  const other = await startAuthServer(env, server);
  others.push(other);
  return other;
}

const execute = (text: string, ...values: unknown[]) =>
  server.database.admin.query<Record<string, unknown>>({ text, values });
const refused = (status: number, code: string, msg = '') => ({
  status,
  json: { error_code: code, msg: expect.stringContaining(msg) },
});

async function refreshed(token: string, at: AuthServer = server): Promise<string> {
  const { status, json, text } = await refresh(at, token);
  expect(status, text).toBe(200);
  return json.refresh_token;
}

/** Ages all events of a session's tokens beyond the reuse interval. */
const expireReuseInterval = (sessionId: string) =>
  execute(
    "update auth.refresh_tokens set updated_at = updated_at - interval '1 hour' where session_id = $1",
    sessionId,
  );

const tokensOf = (sessionId: string) =>
  execute(
    'select token, parent, revoked from auth.refresh_tokens where session_id = $1 order by id',
    sessionId,
  );

describe('an active token', () => {
  it('returns new tokens for the same session', async () => {
    const ann = await signUpPerson(server);
    const response = await refresh(server, ann.refreshToken);
    expect(response.status).toBe(200);
    expect(response.json).toMatchObject({
      token_type: 'bearer',
      expires_in: 3600,
      user: { id: ann.id, email: ann.email },
    });
    expect(response.json.refresh_token).toMatch(/^[a-z0-9]{12}$/);
    expect(claimsOf(response.json.access_token)).toMatchObject({
      session_id: ann.sessionId,
      amr: claimsOf(ann.accessToken).amr,
    });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      'sb-auth-user-id': ann.id,
      'sb-auth-session-id': ann.sessionId,
      'sb-auth-refresh-token-prefix': response.json.refresh_token.slice(0, 5),
      'sb-auth-refresh-token-reuse': 'false',
    });
  });

  it('is revoked, and its successor stores its hash as parent; no plain token is stored', async () => {
    const ann = await signUpPerson(server);
    const next = await refreshed(ann.refreshToken);
    expect(await tokensOf(ann.sessionId)).toEqual([
      { token: hashRefreshToken(ann.refreshToken), parent: '', revoked: true },
      { token: hashRefreshToken(next), parent: hashRefreshToken(ann.refreshToken), revoked: false },
    ]);
  });

  it("leads to a token with the user's current data", async () => {
    const ann = await signUpPerson(server);
    await execute(`update auth.users set raw_app_meta_data = '{"role": "admin"}' where id = $1`, ann.id);
    const { json } = await refresh(server, ann.refreshToken);
    expect(claimsOf(json.access_token).app_metadata).toEqual({ role: 'admin' });
  });

  it('records time and client on the session and the user', async () => {
    const ann = await signUpPerson(server);
    await execute("update auth.users set last_sign_in_at = '2020-01-01' where id = $1", ann.id);
    const path = '/token?grant_type=refresh_token';
    const headers = { 'user-agent': 'Another browser' };
    await send(server, { method: 'POST', path, headers, body: { refresh_token: ann.refreshToken } });
    const [row] = await execute(
      `select s.user_agent, host(s.ip) as ip, u.last_sign_in_at > '2020-01-01' as user_noted,
          abs(extract(epoch from s.refreshed_at - (now() at time zone 'utc'))) < 60 as refreshed_now
        from auth.sessions s join auth.users u on u.id = s.user_id where s.id = $1`,
      ann.sessionId,
    );
    expect(row).toEqual({
      user_agent: 'Another browser',
      ip: '127.0.0.1',
      user_noted: true,
      refreshed_now: true,
    });
  });

  it('writes audit entries for refresh and revocation', async () => {
    const ann = await signUpPerson(server);
    await refreshed(ann.refreshToken);
    const rows = await execute(
      `select payload ->> 'action' as action from auth.audit_log_entries where payload ->> 'actor_id' = $1`,
      ann.id,
    );
    const actions = ['login', 'token_refreshed', 'token_revoked', 'user_signedup'];
    expect(rows.map(({ action }) => action).sort()).toEqual(actions);
  });

  it('can be refreshed for many generations', async () => {
    const ann = await signUpPerson(server);
    let token = ann.refreshToken;
    const seen = new Set([token]);
    for (let generation = 0; generation < 20; generation += 1) {
      token = await refreshed(token);
      seen.add(token);
    }
    expect(seen.size).toBe(21);
  });
});

describe('a revoked token', () => {
  it('whose successor is active returns it again at any time, without a new row', async () => {
    const ann = await signUpPerson(server);
    const next = await refreshed(ann.refreshToken);
    await expireReuseInterval(ann.sessionId);
    const again = await refresh(server, ann.refreshToken);
    expect([again.status, again.json.refresh_token]).toEqual([200, next]);
    expect(again.headers.get('sb-auth-refresh-token-reuse')).toBeNull();
    expect(await tokensOf(ann.sessionId)).toHaveLength(2);
    expect(await refreshed(next)).not.toBe(next);
  });

  it('that is older leads to a sibling within the reuse interval', async () => {
    const ann = await signUpPerson(server);
    const second = await refreshed(ann.refreshToken);
    const third = await refreshed(second);
    const sibling = await refreshed(ann.refreshToken);
    expect(new Set([second, third, sibling]).size).toBe(3);
    expect(await refreshed(ann.refreshToken), 'which is the active one now').toBe(sibling);
    expect(await refreshed(third), 'the other branch goes on too').toMatch(/^[a-z0-9]{12}$/);
    expect(await refreshed(sibling)).toMatch(/^[a-z0-9]{12}$/);
  });

  it('that is older is rejected after the interval and ends its session', async () => {
    const ann = await signUpPerson(server);
    const second = await refreshed(ann.refreshToken);
    const response = await refresh(server, second);
    await expireReuseInterval(ann.sessionId);
    const already = refused(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used');
    expect(await refresh(server, ann.refreshToken)).toMatchObject(already);
    for (const token of [ann.refreshToken, second, response.json.refresh_token]) {
      expect(await refresh(server, token)).toMatchObject(refused(400, 'refresh_token_not_found'));
    }
    for (const bearer of [ann.accessToken, response.json.access_token]) {
      expect(await send(server, { path: '/user', bearer })).toMatchObject(refused(403, 'session_not_found'));
    }
  });

  it('that is older is rejected after the interval, with the reason in the audit log', async () => {
    const ann = await signUpPerson(server);
    await refreshed(await refreshed(ann.refreshToken));
    await expireReuseInterval(ann.sessionId);
    await refresh(server, ann.refreshToken);
    const entries = await execute(
      `select payload -> 'traits' as traits from auth.audit_log_entries
        where payload ->> 'actor_id' = $1 and payload ->> 'action' = 'token_revoked' and payload -> 'traits' is not null`,
      ann.id,
    );
    expect(entries).toEqual([{ traits: { reason: 'refresh_token_reuse', session_id: ann.sessionId } }]);
  });

  it('of a family revoked by an earlier version is rejected even within the interval', async () => {
    const ann = await signUpPerson(server);
    const second = await refreshed(ann.refreshToken);
    await execute(
      'update auth.refresh_tokens set revoked = true, updated_at = now() where session_id = $1',
      ann.sessionId,
    );
    expect(await refresh(server, second)).toMatchObject(refused(400, 'refresh_token_already_used'));
    expect(await send(server, { path: '/user', bearer: ann.accessToken })).toMatchObject(
      refused(403, 'session_not_found'),
    );
  });

  it('that is presented concurrently with its whole family ends the session', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ann = await signUpPerson(server);
      const family = [ann.refreshToken];
      for (let step = 0; step < 3; step += 1) family.push(await refreshed(family.at(-1) ?? ''));
      await expireReuseInterval(ann.sessionId);
      const responses = await Promise.all([...family, ...family].map((token) => refresh(server, token)));
      const issued = responses.flatMap(({ json }) => json.refresh_token ?? []);
      for (const token of [...family, ...issued]) {
        expect(await refresh(server, token)).toMatchObject(refused(400, 'refresh_token_not_found'));
      }
    }
  });

  it('does not extend the interval when used', async () => {
    const ann = await signUpPerson(server);
    await refreshed(await refreshed(ann.refreshToken));
    const changed = () =>
      execute(
        'select updated_at from auth.refresh_tokens where token = $1',
        hashRefreshToken(ann.refreshToken),
      );
    const before = await changed();
    await refreshed(ann.refreshToken);
    expect(await changed()).toEqual(before);
  });

  it('is rejected without further effect if rotation is disabled', async () => {
    const lenient = await startWith({ GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED: 'false' });
    const ann = await signUpPerson(server);
    const third = await refreshed(await refreshed(ann.refreshToken));
    await expireReuseInterval(ann.sessionId);
    expect(await refresh(lenient, ann.refreshToken)).toMatchObject(
      refused(400, 'refresh_token_already_used'),
    );
    expect(await refreshed(third)).toMatch(/^[a-z0-9]{12}$/);
  });

  it('is rejected immediately without a reuse interval', async () => {
    const strict = await startWith({ GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL: '0' });
    const ann = await signUpPerson(server);
    await refreshed(await refreshed(ann.refreshToken, strict), strict);
    await execute(
      "update auth.refresh_tokens set updated_at = updated_at - interval '1 ms' where session_id = $1",
      ann.sessionId,
    );
    expect(await refresh(strict, ann.refreshToken)).toMatchObject(refused(400, 'refresh_token_already_used'));
  });
});

describe('rejects', () => {
  const post = (name: string, body: object | string, code: string, message = ''): Scenario => {
    const contains = [`"error_code":"${code}"`, message];
    const path = '/token?grant_type=refresh_token';
    return { name, method: 'POST', path, body, status: 400, contains, lacks: ['access_token'] };
  };

  it.each([
    post('no token', {}, 'validation_failed', 'Refresh token is not valid'),
    post('an empty token', { refresh_token: '' }, 'validation_failed', 'Refresh token is not valid'),
    post(
      'a short token',
      { refresh_token: 'abcdefghijk' },
      'validation_failed',
      'Refresh token is not valid',
    ),
    post(
      'other characters',
      { refresh_token: 'ABCDEFGHIJKL' },
      'validation_failed',
      'Refresh token is not valid',
    ),
    post(
      'a long token',
      { refresh_token: 'a'.repeat(60_000) },
      'validation_failed',
      'Refresh token is not valid',
    ),
    post('a stored hash', { refresh_token: hashRefreshToken('x') }, 'validation_failed'),
    post('a number', { refresh_token: 123456789012 }, 'bad_json'),
    post('no body', '', 'bad_json'),
    post(
      'an unknown token',
      { refresh_token: 'abcdefghijkl' },
      'refresh_token_not_found',
      'Refresh Token Not Found',
    ),
  ])('$name', async (scenario) => {
    await play(server, scenario);
  });

  it('a banned user', async () => {
    const ann = await signUpPerson(server);
    await execute("update auth.users set banned_until = now() + interval '1 day' where id = $1", ann.id);
    const response = await refresh(server, ann.refreshToken);
    expect(response).toMatchObject(refused(400, 'user_banned', 'Invalid Refresh Token: User Banned'));
  });

  it('a token without a session, which is then deleted', async () => {
    const ann = await signUpPerson(server);
    await execute('update auth.refresh_tokens set session_id = null where session_id = $1', ann.sessionId);
    const response = await refresh(server, ann.refreshToken);
    expect(response).toMatchObject(
      refused(400, 'session_not_found', 'Invalid Refresh Token: No Valid Session Found'),
    );
    expect(await refresh(server, ann.refreshToken)).toMatchObject(refused(400, 'refresh_token_not_found'));
  });

  it('a session opened by another program', async () => {
    const ann = await signUpPerson(server);
    await execute('update auth.sessions set refresh_token_hmac_key = null where id = $1', ann.sessionId);
    expect(await refresh(server, ann.refreshToken)).toMatchObject(refused(400, 'session_not_found'));
  });

  it.each([
    ['not_after', {}, "not_after = now() - interval '1 s'", 'Session Expired'],
    ['timebox', { GOTRUE_SESSIONS_TIMEBOX: '1h' }, "created_at = now() - interval '2 h'", 'Session Expired'],
    [
      'inactivity',
      { GOTRUE_SESSIONS_INACTIVITY_TIMEOUT: '1h' },
      "refreshed_at = (now() at time zone 'utc') - interval '2 h'",
      'Session Expired (Inactivity)',
    ],
  ])('an expired session: %s', async (_, env, set, message) => {
    const limited = await startWith(env);
    const ann = await signUpPerson(server);
    await execute(`update auth.sessions set ${set} where id = $1`, ann.sessionId);
    const response = await refresh(limited, ann.refreshToken);
    expect(response).toMatchObject(refused(400, 'session_expired', `Invalid Refresh Token: ${message}`));
  });

  it('a session whose second factor is overdue', async () => {
    const limited = await startWith({ GOTRUE_SESSIONS_ALLOW_LOW_AAL: '1h' });
    const ann = await signUpPerson(server);
    await execute(
      "update auth.sessions set created_at = now() - interval '2 h' where id = $1",
      ann.sessionId,
    );
    await execute(
      `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
        values (gen_random_uuid(), $1, 'totp', 'verified', now(), now())`,
      ann.id,
    );
    expect(await refresh(limited, ann.refreshToken)).toMatchObject(
      refused(400, 'session_expired', 'Low AAL'),
    );
  });

  it('an older session if users may have only one', async () => {
    const single = await startWith({
      GOTRUE_SESSIONS_SINGLE_PER_USER: 'true',
      GOTRUE_SESSIONS_TAGS: 'web,app',
    });
    const first = await signUpPerson(server);
    const second = await signInPerson(server, first.email);
    const response = await refresh(single, first.refreshToken);
    expect(response).toMatchObject(
      refused(400, 'session_expired', 'Session Expired (Revoked by Newer Login)'),
    );
    await refreshed(second.refreshToken, single);
    await execute("update auth.sessions set tag = 'app' where id = $1", second.sessionId);
    await refreshed(first.refreshToken, single);
  });
});

describe('concurrent refreshes', () => {
  const refreshAtOnce = (token: string, times: number) =>
    Promise.all(Array.from({ length: times }, () => refresh(server, token)));

  it.each([50, 50, 200])('of one token get one successor and end no session (%d)', async (times) => {
    const ann = await signUpPerson(server);
    const responses = await refreshAtOnce(ann.refreshToken, times);
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: times }, () => 200));
    const successors = new Set(responses.map(({ json }) => json.refresh_token));
    expect(successors.size).toBe(1);
    expect((await tokensOf(ann.sessionId)).map(({ revoked }) => revoked)).toEqual([true, false]);
    await refreshed([...successors].join());
  });

  it('of an older token create branches that can all be refreshed', async () => {
    const ann = await signUpPerson(server);
    const third = await refreshed(await refreshed(ann.refreshToken));
    const responses = await refreshAtOnce(ann.refreshToken, 50);
    expect(new Set(responses.map(({ status, json }) => [status, json.refresh_token].join())).size).toBe(1);
    expect((await tokensOf(ann.sessionId)).map(({ revoked }) => revoked)).toEqual([true, true, false, false]);
    for (const token of [third, responses[0]?.json.refresh_token]) await refreshed(token);
  });

  it('get a successor inserted between snapshot and lock', async () => {
    const ann = await signUpPerson(server);
    const [session] = await execute(
      'select refresh_token_hmac_key as key from auth.sessions where id = $1',
      ann.sessionId,
    );
    // The row-level policy is evaluated after the snapshot and before the lock; this one blocks there.
    await execute(`create function public.gate() returns boolean language sql
      begin atomic select pg_advisory_xact_lock_shared(1) is not null; end`);
    await execute('create policy gate on auth.refresh_tokens using (public.gate()) with check (true)');
    await execute('alter table auth.refresh_tokens force row level security');
    const response = await server.database.admin.transaction(async (blocker) => {
      await blocker.query({ text: 'select pg_advisory_xact_lock(1)' });
      const refreshing = refresh(server, ann.refreshToken);
      await waitForLock(server);
      const parent = hashRefreshToken(ann.refreshToken);
      const [next] = await execute(`select nextval('auth.refresh_tokens_id_seq') as id`);
      const child = deriveRefreshToken(ann.refreshToken, String(next?.id), String(session?.key));
      await server.database.admin.batch([
        { text: 'update auth.refresh_tokens set revoked = true where token = $1', values: [parent] },
        {
          text: `insert into auth.refresh_tokens (id, token, parent, session_id, user_id, revoked, updated_at)
            values ($1, $2, $3, $4, $5, false, now())`,
          values: [next?.id, hashRefreshToken(child), parent, ann.sessionId, ann.id],
        },
      ]);
      await blocker.commit();
      expect((await refreshing).json.refresh_token).toBe(child);
      return refreshing;
    });
    await execute('alter table auth.refresh_tokens no force row level security');
    expect([response.status, (await tokensOf(ann.sessionId)).length]).toEqual([200, 2]);
  });

  it('through two nodes get one successor', async () => {
    const node = await startWith({});
    const ann = await signUpPerson(server);
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => refresh(index % 2 ? node : server, ann.refreshToken)),
    );
    expect(new Set(responses.map(({ json }) => json.refresh_token)).size).toBe(1);
  });

  it('of a chain of tokens leave one working family', async () => {
    const ann = await signUpPerson(server);
    const clients = Array.from({ length: 8 }, async () => {
      let token = ann.refreshToken;
      for (let step = 0; step < 5; step += 1) token = await refreshed(token);
      return token;
    });
    for (const token of await Promise.all(clients)) await refreshed(token);
  });

  it('of different sessions of a user do not block each other', async () => {
    const email = newEmail();
    const people: Person[] = [await signUpPerson(server, email)];
    for (let index = 0; index < 5; index += 1) people.push(await signInPerson(server, email));
    const responses = await Promise.all(people.map(({ refreshToken }) => refresh(server, refreshToken)));
    expect(responses.map(({ status }) => status)).toEqual(people.map(() => 200));
  });

  it('and sign-outs never cause a 5xx', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ann = await signUpPerson(server);
      const [response, loggedOut] = await Promise.all([
        refresh(server, ann.refreshToken),
        send(server, { method: 'POST', path: '/logout', bearer: ann.accessToken }),
      ]);
      expect([
        response.status === 200 || response.json.error_code === 'refresh_token_not_found',
        loggedOut.status,
      ]).toEqual([true, 204]);
      expect((await refresh(server, response.json.refresh_token ?? ann.refreshToken)).status).toBe(400);
    }
  });

  it('do not wait for a lock on the user', async () => {
    const ann = await signUpPerson(server);
    await server.database.admin.transaction(async (tx) => {
      await tx.query({ text: 'update auth.users set updated_at = now() where id = $1', values: [ann.id] });
      await refreshed(ann.refreshToken);
    });
  });

  it('reject after five seconds', async () => {
    const ann = await signUpPerson(server);
    let ms = Date.now();
    const now = () => {
      ms += 1000;
      return new Date(ms);
    };
    const context = authContext(server, { now });
    const request = authRequest({ body: { refresh_token: ann.refreshToken } });
    await server.database.admin.transaction(async (tx) => {
      await tx.query({ text: 'select from auth.sessions where id = $1 for update', values: [ann.sessionId] });
      await expect(refreshSession(context, request)).rejects.toMatchObject({ code: 'conflict', status: 409 });
    });
    await refreshed(ann.refreshToken);
  });
});
