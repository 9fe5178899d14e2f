/** Refresh tokens of version 2, over HTTP. */
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { claimsOf, type Person, refresh, signUpPerson } from '../testing/people.ts';
import { send } from '../testing/scenario.ts';
import { parseSignedToken, signRefreshToken } from './signed-refresh-token.ts';

// Under load, the last of many requests waits long.
const PATIENT = { GOTRUE_API_MAX_REQUEST_DURATION: '60s' };
const SIGNED = { ...PATIENT, GOTRUE_SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION: '2' };
const UPGRADED = { ...SIGNED, GOTRUE_SECURITY_REFRESH_TOKEN_UPGRADE_PERCENTAGE: '100' };
const WITHOUT_ROTATION = { ...SIGNED, GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED: 'false' };
const WITH_REUSE = { ...SIGNED, GOTRUE_SECURITY_REFRESH_TOKEN_ALLOW_REUSE: 'true' };

/** Issues stored tokens until its sessions present a token to one of the other servers. */
let older: AuthServer;
let signed: AuthServer;
let upgrading: AuthServer;
const others: AuthServer[] = [];

beforeAll(async () => {
  older = await startAuthServer();
  signed = await startWith(SIGNED);
  upgrading = await startWith(UPGRADED);
});
afterAll(async () => {
  for (const other of others) await other.close();
  await older.close();
});

async function startWith(env: Record<string, string>): Promise<AuthServer> {
  const other = await startAuthServer(env, older);
  others.push(other);
  return other;
}

const execute = (text: string, ...values: unknown[]) =>
  older.database.admin.query<Record<string, unknown>>({ text, values });
const counterOf = (token: string) => parseSignedToken(token)?.counter;
const rowsOf = ({ sessionId }: Person) =>
  execute('select revoked from auth.refresh_tokens where session_id = $1 order by id', sessionId);

async function refreshed(token: string, at: AuthServer = signed): Promise<string> {
  const { status, json, text } = await refresh(at, token);
  expect(status, text).toBe(200);
  return json.refresh_token;
}

/** Ages all events of a session beyond the reuse interval. */
async function expireReuseInterval({ sessionId }: Person): Promise<void> {
  await execute(
    "update auth.sessions set refreshed_at = refreshed_at - interval '1 hour' where id = $1",
    sessionId,
  );
  await execute(
    "update auth.refresh_tokens set updated_at = updated_at - interval '1 hour' where session_id = $1",
    sessionId,
  );
}

const refusedAs = (error_code: string) => ({ status: 400, json: { error_code } });

describe('a session with signed tokens', () => {
  it('starts the counter at zero, increments it and stores no token', async () => {
    const ann = await signUpPerson(signed);
    expect(parseSignedToken(ann.refreshToken)).toMatchObject({ sessionId: ann.sessionId, counter: 0 });
    const response = await refresh(signed, ann.refreshToken);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'sb-auth-session-id': ann.sessionId,
      'sb-auth-refresh-token-counter': '1',
      'sb-auth-refresh-token-reuse': 'false',
    });
    expect(response.headers.has('sb-auth-refresh-token-prefix')).toBe(false);
    expect(claimsOf(response.json.access_token).session_id).toBe(ann.sessionId);
    expect(counterOf(await refreshed(response.json.refresh_token))).toBe(2);
    expect(await rowsOf(ann)).toEqual([]);
  });

  it('encrypts its key so that read access to the database is not enough to forge tokens', async () => {
    const ann = await signUpPerson(signed);
    const [row] = await execute(
      'select refresh_token_hmac_key as key from auth.sessions where id = $1',
      ann.sessionId,
    );
    const forged = signRefreshToken(ann.sessionId, 0, Buffer.from(String(row?.key), 'base64url'));
    expect(await refresh(signed, forged)).toMatchObject(refusedAs('refresh_token_not_found'));
  });

  it('continues after a change of the configured version, in both directions', async () => {
    const [ann, bob] = [await signUpPerson(signed), await signUpPerson(older)];
    expect(counterOf(await refreshed(ann.refreshToken, older))).toBe(1);
    expect(await refreshed(bob.refreshToken, signed)).toMatch(/^[a-z0-9]{12}$/);
  });
});

describe('an older signed token', () => {
  it('returns the current one if it is the last but one, since the response was missed', async () => {
    const ann = await signUpPerson(signed);
    const next = await refreshed(ann.refreshToken);
    await expireReuseInterval(ann);
    const again = await refresh(signed, ann.refreshToken);
    expect(again.json.refresh_token).toBe(next);
    expect(again.headers.get('sb-auth-refresh-token-reuse-cause')).toBe('fail-to-save');
  });

  it('returns the current one within the reuse interval', async () => {
    const ann = await signUpPerson(signed);
    const last = await refreshed(await refreshed(await refreshed(ann.refreshToken)));
    const again = await refresh(signed, ann.refreshToken);
    expect(again.json.refresh_token).toBe(last);
    expect(again.headers.get('sb-auth-refresh-token-reuse-cause')).toBe('concurrent-refresh');
  });

  it('ends the session otherwise', async () => {
    const ann = await signUpPerson(signed);
    const last = await refreshed(await refreshed(ann.refreshToken));
    await expireReuseInterval(ann);
    const response = await refresh(signed, ann.refreshToken);
    expect(response).toMatchObject(refusedAs('refresh_token_already_used'));
    expect(response.headers.get('sb-auth-refresh-token-rotated')).toBe('true');
    expect(await refresh(signed, last)).toMatchObject(refusedAs('refresh_token_not_found'));
  });

  it('does not extend the reuse interval when used', async () => {
    const ann = await signUpPerson(signed);
    await refreshed(await refreshed(await refreshed(ann.refreshToken)));
    const lastRefresh = () => execute('select refreshed_at from auth.sessions where id = $1', ann.sessionId);
    const before = await lastRefresh();
    await refreshed(ann.refreshToken);
    expect(await lastRefresh()).toEqual(before);
  });

  it('ends the session if presented concurrently', async () => {
    const ann = await signUpPerson(signed);
    const family = [ann.refreshToken];
    for (let step = 0; step < 3; step += 1) family.push(await refreshed(family.at(-1) ?? ''));
    await expireReuseInterval(ann);
    const old = family.slice(0, 2);
    const responses = await Promise.all([...old, ...old, ...old].map((token) => refresh(signed, token)));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 400));
    for (const token of family) {
      expect(await refresh(signed, token)).toMatchObject(refusedAs('refresh_token_not_found'));
    }
    const user = await send(signed, { path: '/user', bearer: ann.accessToken });
    expect(user).toMatchObject({ status: 403, json: { error_code: 'session_not_found' } });
  });

  it('is rejected without further effect if rotation is disabled', async () => {
    const server = await startWith(WITHOUT_ROTATION);
    const ann = await signUpPerson(server);
    const last = await refreshed(await refreshed(ann.refreshToken, server), server);
    await expireReuseInterval(ann);
    const response = await refresh(server, ann.refreshToken);
    expect(response).toMatchObject(refusedAs('refresh_token_already_used'));
    expect(response.headers.has('sb-auth-refresh-token-rotated')).toBe(false);
    await refreshed(last, server);
  });

  it('always returns the current one if reuse is allowed', async () => {
    const server = await startWith(WITH_REUSE);
    const ann = await signUpPerson(server);
    const last = await refreshed(await refreshed(ann.refreshToken, server), server);
    await expireReuseInterval(ann);
    const again = await refresh(server, ann.refreshToken);
    expect(again.json.refresh_token).toBe(last);
    expect(again.headers.get('sb-auth-refresh-token-reuse-cause')).toBe('always-allow');
  });
});

describe('tokens that the session did not issue', () => {
  it.each([
    ['a signature by another key', (ann: Person) => signRefreshToken(ann.sessionId, 0, Buffer.alloc(32, 1))],
    ['no such session', () => signRefreshToken('00000000-0000-4000-8000-000000000000', 0, Buffer.alloc(32))],
  ])('are unknown: %s', async (_, forge) => {
    const ann = await signUpPerson(signed);
    expect(await refresh(signed, forge(ann))).toMatchObject(refusedAs('refresh_token_not_found'));
    await refreshed(ann.refreshToken);
  });

  it('are unknown, regardless of the state of the session', async () => {
    const ann = await signUpPerson(signed);
    await execute("update auth.users set banned_until = now() + interval '1 hour' where id = $1", ann.id);
    const forged = signRefreshToken(ann.sessionId, 0, Buffer.alloc(32, 1));
    expect(await refresh(signed, forged)).toMatchObject(refusedAs('refresh_token_not_found'));
    expect(await refresh(signed, ann.refreshToken)).toMatchObject(refusedAs('user_banned'));
  });

  it('are unknown for a session with stored tokens', async () => {
    const ann = await signUpPerson(older);
    const forged = signRefreshToken(ann.sessionId, 0, Buffer.alloc(32, 1));
    expect(await refresh(signed, forged)).toMatchObject(refusedAs('refresh_token_not_found'));
  });

  it("with a counter ahead of the session's, after a restored backup, are rejected", async () => {
    const ann = await signUpPerson(signed);
    const next = await refreshed(ann.refreshToken);
    await execute('update auth.sessions set refresh_token_counter = 0 where id = $1', ann.sessionId);
    expect(await refresh(signed, next)).toMatchObject(refusedAs('validation_failed'));
    await refreshed(ann.refreshToken);
  });
});

describe('an upgrade', () => {
  it('switches a session with stored tokens to signed ones', async () => {
    const ann = await signUpPerson(older);
    const first = await refreshed(ann.refreshToken, upgrading);
    expect(counterOf(first)).toBe(0);
    expect(await rowsOf(ann)).toEqual([{ revoked: true }]);
    expect(counterOf(await refreshed(first, upgrading))).toBe(1);
  });

  it('can be missed: the stored token leads to the first signed one at any time', async () => {
    const ann = await signUpPerson(older);
    const middle = await refreshed(ann.refreshToken, older);
    const first = await refreshed(middle, upgrading);
    await expireReuseInterval(ann);
    expect(await refreshed(middle, upgrading)).toBe(first);
    const next = await refreshed(first, upgrading);
    await expireReuseInterval(ann);
    expect(await refresh(upgrading, middle)).toMatchObject(refusedAs('refresh_token_already_used'));
    expect(await refresh(upgrading, next)).toMatchObject(refusedAs('refresh_token_not_found'));
  });

  it('also upgrades other tabs that still have stored tokens', async () => {
    const ann = await signUpPerson(older);
    const tabs = [await refreshed(ann.refreshToken, older)];
    await refreshed(tabs[0] ?? '', older);
    tabs.push(await refreshed(ann.refreshToken, older));
    const current = await refreshed(tabs[1] ?? '', upgrading);
    await expireReuseInterval(ann);
    const unrevoked = await refreshed(tabs[1] ?? '', upgrading);
    expect(unrevoked).toBe(current);
  });

  it('of 50 % selects the same sessions each time', async () => {
    const half = await startWith({ ...UPGRADED, GOTRUE_SECURITY_REFRESH_TOKEN_UPGRADE_PERCENTAGE: '50' });
    for (let index = 0; index < 8; index += 1) {
      const { sessionId, refreshToken } = await signUpPerson(older);
      const isFirst = Number.parseInt(sessionId.slice(-6), 16) % 100 < 50;
      expect(counterOf(await refreshed(refreshToken, half))).toBe(isFirst ? 0 : undefined);
    }
  });
});

describe('a second factor', () => {
  it('invalidates the tokens issued before it', async () => {
    const ann = await signUpPerson(signed);
    const bearer = ann.accessToken;
    const factor = await send(signed, {
      method: 'POST',
      path: '/factors',
      bearer,
      body: { factor_type: 'totp' },
    });
    const path = `/factors/${factor.json.id}`;
    const challenge = await send(signed, { method: 'POST', path: `${path}/challenge`, bearer, body: {} });
    const code = new TOTP({ secret: Secret.fromBase32(factor.json.totp.secret) }).generate();
    const elevated = await send(signed, {
      method: 'POST',
      path: `${path}/verify`,
      bearer,
      body: { challenge_id: challenge.json.id, code },
    });
    expect(counterOf(elevated.json.refresh_token)).toBe(2);
    expect(await refresh(signed, ann.refreshToken)).toMatchObject(refusedAs('refresh_token_not_found'));
    expect(counterOf(await refreshed(elevated.json.refresh_token))).toBe(3);
  });
});

describe('two hundred concurrent refreshes', () => {
  it('get the same token', async () => {
    const ann = await signUpPerson(signed);
    const responses = await Promise.all(Array.from({ length: 200 }, () => refresh(signed, ann.refreshToken)));
    expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
    expect(new Set(responses.map(({ json }) => json.refresh_token)).size).toBe(1);
    expect(counterOf(responses[0]?.json.refresh_token)).toBe(1);
  });

  it('that upgrade a session get the same token', async () => {
    const ann = await signUpPerson(older);
    const responses = await Promise.all(
      Array.from({ length: 200 }, () => refresh(upgrading, ann.refreshToken)),
    );
    expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
    expect(new Set(responses.map(({ json }) => json.refresh_token)).size).toBe(1);
  });
});
