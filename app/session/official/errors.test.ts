/** The errors of the specification, section 8, and the states of section 4, as the official client has them. */
import { createServerClient } from '@supabase/ssr';
import {
  createClient,
  FunctionsFetchError,
  FunctionsHttpError,
  FunctionsRelayError,
  isAuthRetryableFetchError,
  isAuthWeakPasswordError,
  type SupabaseClient,
} from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answer, type RecordingServer, startRecordingServer } from './recording-server.ts';

const ID = '7f1c6e9a-3f53-4a39-9b07-3f0f5f9c1a11';
const EMAIL = { email: 'a@example.org', password: 'correct horse' };
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const token = (claims: object) =>
  `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sub: ID, ...claims })}.c2ln`;
const inSeconds = (seconds: number) => Math.round(Date.now() / 1000) + seconds;
const session = (expiresIn: number) => ({
  access_token: token({ exp: inSeconds(expiresIn) }),
  refresh_token: 'refresh',
  expires_in: expiresIn,
  expires_at: inSeconds(expiresIn),
  token_type: 'bearer',
  user: { id: ID, aud: 'authenticated', email: EMAIL.email },
});

let server: RecordingServer;
let client: SupabaseClient;
let stored: Map<string, string>;

beforeAll(async () => {
  server = await startRecordingServer();
});
afterAll(() => server.close());

beforeEach(() => {
  stored = new Map();
  client = newClient();
  server.calls = [];
  server.answer = { status: 200, body: session(3600) };
});

/** A client that keeps its session in `stored`. */
function newClient(): SupabaseClient {
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
  return createClient(server.url, 'anon-key', {
    auth: { storage, storageKey: 'session', autoRefreshToken: false },
  });
}

/** With it, codes of errors are where the client looks for them first. */
const VERSION = { 'x-supabase-api-version': '2024-01-01' };

describe('authentication', () => {
  it.each([502, 503, 504])('%i may be tried again', async (status) => {
    server.answer = { status, body: {} };
    const { error } = await client.auth.signInWithPassword(EMAIL);
    expect(isAuthRetryableFetchError(error)).toBe(true);
  });

  it.each<[string, Answer, object]>([
    [
      'invalid credentials',
      {
        status: 400,
        body: { code: 'invalid_credentials', message: 'Invalid login credentials' },
        headers: VERSION,
      },
      {
        name: 'AuthApiError',
        status: 400,
        code: 'invalid_credentials',
        message: 'Invalid login credentials',
      },
    ],
    [
      'a session that is gone',
      { status: 403, body: { code: 'session_not_found', message: 'gone' }, headers: VERSION },
      { name: 'AuthSessionMissingError', message: 'Auth session missing!' },
    ],
  ])('%s', async (_name, answer, expected) => {
    server.answer = answer;
    const { error } = await client.auth.signInWithPassword(EMAIL);
    expect(error).toMatchObject(expected);
  });

  it('a weak password comes with its reasons', async () => {
    server.answer = {
      status: 422,
      body: { code: 'weak_password', message: 'weak', weak_password: { reasons: ['length'] } },
      headers: VERSION,
    };
    const { error } = await client.auth.signUp(EMAIL);
    expect(isAuthWeakPasswordError(error)).toBe(true);
    expect(error).toMatchObject({ reasons: ['length'], status: 422 });
  });

  it('a session that was never there', async () => {
    const { error } = await client.auth.getUser();
    expect(error?.message).toBe('Auth session missing!');
  });

  it('an expired token', async () => {
    const { error } = await client.auth
      .getClaims(token({ exp: inSeconds(-10) }))
      .catch((thrown) => ({ error: thrown }));
    expect(error?.message).toBe('JWT has expired');
  });

  it.each(['a.b', 'a.b.c', `${encode({})}.+.c`])('a token of another shape: %s', async (wrong) => {
    const { error } = await client.auth.getClaims(wrong).catch((thrown) => ({ error: thrown }));
    expect(error).toMatchObject({ name: 'AuthInvalidJwtError' });
  });

  it('an answer without a token', async () => {
    server.answer = { status: 200, body: {} };
    const { error } = await client.auth.signInWithPassword(EMAIL);
    expect(error).toMatchObject({ name: 'AuthInvalidTokenResponseError' });
  });

  it('a refused refresh removes the session', async () => {
    stored.set('session', JSON.stringify(session(-10)));
    server.answer = { status: 400, body: { code: 'refresh_token_not_found', message: 'no' } };
    const silent = vi.spyOn(console, 'error').mockImplementation(() => {});
    expect((await client.auth.getSession()).data.session).toBeNull();
    silent.mockRestore();
    expect(stored.has('session')).toBe(false);
  });

  it.each([
    [89, 1],
    [120, 0],
  ])('a session with %i seconds left is refreshed %i times', async (left, times) => {
    stored.set('session', JSON.stringify(session(left)));
    await client.auth.getSession();
    expect(server.calls.filter(({ line }) => line.endsWith('grant_type=refresh_token'))).toHaveLength(times);
  });
});

describe('auth events', () => {
  it('tell what happens to a session', async () => {
    const events: string[] = [];
    client.auth.onAuthStateChange((event) => void events.push(event));
    await client.auth.signInWithPassword(EMAIL);
    await client.auth.refreshSession();
    await client.auth.updateUser({ data: { a: 1 } });
    await client.auth.signOut();
    expect(events).toEqual(['INITIAL_SESSION', 'SIGNED_IN', 'TOKEN_REFRESHED', 'USER_UPDATED', 'SIGNED_OUT']);
  });

  it('tell of a second factor', async () => {
    await client.auth.signInWithPassword(EMAIL);
    const events: string[] = [];
    client.auth.onAuthStateChange((event) => void events.push(event));
    await client.auth.mfa.verify({ factorId: ID, challengeId: ID, code: '123456' });
    expect(events).toContain('MFA_CHALLENGE_VERIFIED');
  });

  it('tell of a recovery', async () => {
    const events: string[] = [];
    client.auth.onAuthStateChange((event) => void events.push(event));
    await client.auth.verifyOtp({ email: EMAIL.email, token: '123456', type: 'recovery' });
    expect(events).toContain('PASSWORD_RECOVERY');
  });
});

describe('functions', () => {
  it.each<[string, Answer, unknown]>([
    ['an answer that is an error', { status: 500, body: {} }, FunctionsHttpError],
    [
      'an error of the relay',
      { status: 500, body: {}, headers: { 'x-relay-error': 'true' } },
      FunctionsRelayError,
    ],
  ])('%s', async (_name, answer, expected) => {
    server.answer = answer;
    const { error } = await client.functions.invoke('hello');
    expect(error).toBeInstanceOf(expected);
  });

  it('no answer', async () => {
    const { error } = await createClient('http://127.0.0.1:9', 'k').functions.invoke('hello');
    expect(error).toBeInstanceOf(FunctionsFetchError);
  });
});

describe('storage', () => {
  it('an error with its status', async () => {
    server.answer = {
      status: 404,
      body: { statusCode: '404', error: 'not_found', message: 'Object not found' },
    };
    const { error } = await client.storage.from('b').list();
    expect(error).toMatchObject({ name: 'StorageApiError', status: 404, message: 'Object not found' });
  });

  it('an unknown one', async () => {
    const { error } = await createClient('http://127.0.0.1:9', 'k').storage.from('b').list();
    expect(error).toMatchObject({ name: 'StorageUnknownError' });
  });
});

describe('realtime', () => {
  it('channels are closed, errored, joined, joining or leaving', async () => {
    const channel = client.channel('room');
    const states = [String(channel.state)];
    channel.subscribe();
    states.push(String(channel.state));
    await client.removeChannel(channel);
    states.push(String(channel.state));
    expect(states).toEqual(['closed', 'joining', 'closed']);
    await client.realtime.disconnect();
  });
});

describe('cookies of a session', () => {
  const cookiesOf = async (metadata: object) => {
    const cookies: { name: string; value: string; options: object }[] = [];
    server.answer = { status: 200, body: { ...session(3600), user: { id: ID, user_metadata: metadata } } };
    const { auth } = createServerClient(server.url, 'anon-key', {
      cookies: { getAll: () => [], setAll: (all) => void cookies.push(...all) },
    });
    await auth.signInWithPassword(EMAIL);
    await expect.poll(() => cookies).not.toEqual([]);
    return cookies.filter(({ value }) => value !== '');
  };

  it('hold for 400 days, on the whole site', async () => {
    const [cookie] = await cookiesOf({});
    expect(cookie?.options).toMatchObject({ path: '/', sameSite: 'lax', maxAge: 400 * 24 * 3600 });
  });

  it('are cut into numbered chunks of 3180 characters', async () => {
    const cookies = await cookiesOf({ long: 'x'.repeat(6000) });
    expect(cookies.map(({ name }) => name.replace(/^.*auth-token/, ''))).toEqual(['.0', '.1', '.2']);
    expect(cookies[0]?.value).toHaveLength(3180);
  });
});
