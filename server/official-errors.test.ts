/**
 * The errors of the app's specification, section 8, and the states and sessions of sections 4, 5 and 9, as the official
 * client receives them from a whole instance. Responses that an instance never sends come from a gateway in front of
 * it.
 */
import { createHmac } from 'node:crypto';
import { createServerClient } from '@supabase/ssr';
import {
  FunctionsFetchError,
  FunctionsHttpError,
  FunctionsRelayError,
  isAuthRetryableFetchError,
  isAuthWeakPasswordError,
  type Session,
  type SupabaseClient,
} from '@supabase/supabase-js';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type OfficialInstance, PASSWORD, startOfficialInstance } from './testing/official-instance.ts';

const STORAGE_KEY = 'session';

let instance: OfficialInstance;
/** Storage of {@link keepingClient}. */
let stored: Map<string, string>;

beforeAll(async () => {
  instance = await startOfficialInstance();
});
afterAll(() => instance.close());
beforeEach(() => {
  stored = new Map();
  instance.calls = [];
  instance.gateway = undefined;
});

/** A client that keeps its session in `kept`. */
function keepingClient(): SupabaseClient {
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
  return instance.newClient(undefined, { auth: { persistSession: true, storage, storageKey: STORAGE_KEY } });
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const nowInSeconds = () => Math.round(Date.now() / 1000);

/** A token of the instance's own key that expired ten seconds ago. */
function expiredToken(sub: string): string {
  const claims = { sub, aud: 'authenticated', role: 'authenticated', exp: nowInSeconds() - 10 };
  const content = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  const secret = instance.greenroom.backend?.jwtSecret ?? '';
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
}

/** Stores a session with this remaining lifetime. */
const keep = (session: Session, secondsLeft: number) =>
  stored.set(STORAGE_KEY, JSON.stringify({ ...session, expires_at: nowInSeconds() + secondsLeft }));

const refreshes = () => instance.calls.filter(({ line }) => line.endsWith('grant_type=refresh_token')).length;

const eventsOf = (client: SupabaseClient) => {
  const events: string[] = [];
  client.auth.onAuthStateChange((event) => void events.push(event));
  return events;
};

describe('errors of authentication', () => {
  it.each([502, 503, 504])('status %i of a gateway is retryable, and a retry signs in', async (status) => {
    const { email } = await instance.signedIn();
    const client = instance.newClient();
    instance.gateway = () => new Response('<h1>gateway</h1>', { status });
    const { error } = await client.auth.signInWithPassword({ email, password: PASSWORD });
    expect([isAuthRetryableFetchError(error), error?.status]).toEqual([true, status]);
    instance.gateway = undefined;
    expect((await client.auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
  });

  it('wrong credentials are reported with message, status and code', async () => {
    const { email } = await instance.signedIn();
    const { error } = await instance.newClient().auth.signInWithPassword({ email, password: 'another one' });
    expect(error).toMatchObject({
      name: 'AuthApiError',
      status: 400,
      code: 'invalid_credentials',
      message: 'Invalid login credentials',
    });
  });

  it('a session that an administrator has ended is reported as missing', async () => {
    const { client, session } = await instance.signedIn();
    await instance.service().auth.admin.signOut(session.access_token, 'global');
    expect((await client.auth.getUser()).error).toMatchObject({
      name: 'AuthSessionMissingError',
      message: 'Auth session missing!',
    });
  });

  it('a session is reported as missing if the client has never signed in', async () => {
    const { error } = await instance.newClient().auth.getUser();
    expect([error?.name, error?.message]).toEqual(['AuthSessionMissingError', 'Auth session missing!']);
    expect(instance.calls).toEqual([]);
  });

  it('a weak password is reported with its reasons', async () => {
    const { email } = instance.newPerson();
    const { error } = await instance.newClient().auth.signUp({ email, password: 'ab' });
    expect(isAuthWeakPasswordError(error)).toBe(true);
    expect(error).toMatchObject({ reasons: ['length'], status: 422, code: 'weak_password' });
  });

  it('a response without a token creates no session', async () => {
    const { email } = await instance.signedIn();
    instance.gateway = () => Response.json({});
    const { data, error } = await instance.newClient().auth.signInWithPassword({ email, password: PASSWORD });
    expect([error?.name, data.session]).toEqual(['AuthInvalidTokenResponseError', null]);
  });

  it('an expired token is rejected by the client and by the server', async () => {
    const { client, id } = await instance.signedIn();
    const token = expiredToken(id);
    const { error } = await client.auth.getClaims(token).catch((thrown) => ({ error: thrown }));
    expect(error).toMatchObject({ message: 'JWT has expired' });
    expect(instance.calls).toEqual([]);
    expect((await client.auth.getUser(token)).error).toMatchObject({ status: 403, code: 'bad_jwt' });
    expect((await instance.newClient(token).from('notes').select()).error?.code).toMatch(/\S/);
  });

  it.each(['a.b', 'a.b.c', `${encode({})}.+.c`])(
    'a malformed token is rejected by the client and by the server: %s',
    async (wrong) => {
      const client = instance.newClient();
      const { error } = await client.auth.getClaims(wrong).catch((thrown) => ({ error: thrown }));
      expect(error).toMatchObject({ name: 'AuthInvalidJwtError' });
      expect(instance.calls).toEqual([]);
      expect((await client.auth.getUser(wrong)).error).toMatchObject({ status: 403, code: 'bad_jwt' });
    },
  );
});

describe('a session', () => {
  it.each([
    [89, 1],
    [120, 0],
  ])('with %i seconds left is refreshed %i times', async (left, times) => {
    const { session } = await instance.signedIn();
    keep(session, left);
    const { data } = await keepingClient().auth.getSession();
    expect(refreshes()).toBe(times);
    expect(data.session?.refresh_token === session.refresh_token).toBe(times === 0);
  });

  it('whose refresh is rejected is removed', async () => {
    const { client, session } = await instance.signedIn();
    await client.auth.signOut();
    keep(session, -10);
    const silent = vi.spyOn(console, 'error').mockImplementation(() => {});
    const reader = keepingClient();
    const events = eventsOf(reader);
    expect((await reader.auth.getSession()).data.session).toBeNull();
    expect(refreshes()).toBe(1);
    expect(stored.has(STORAGE_KEY)).toBe(false);
    await expect.poll(() => events).toContain('SIGNED_OUT');
    silent.mockRestore();
  });

  it('whose refresh receives no response is kept, and refreshed again after 200 ms, with a doubled delay each time', async () => {
    const { session } = await instance.signedIn();
    keep(session, -10);
    const times: number[] = [];
    instance.gateway = () => {
      times.push(performance.now());
      return times.length < 4 ? new Response('', { status: 503 }) : undefined;
    };
    const { data } = await keepingClient().auth.getSession();
    expect(data.session?.user.id).toBe(session.user.id);
    expect(stored.get(STORAGE_KEY)).toContain(data.session?.refresh_token);
    const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    // Timers of Node.js may be a millisecond early; their delay depends on the machine.
    expect(waits.map((wait, index) => wait >= 200 * 2 ** index - 1)).toEqual([true, true, true]);
  });

  it('reports sign-in, refresh, change and sign-out', async () => {
    const { client } = await instance.signedIn(keepingClient());
    await client.auth.signOut();
    const events = eventsOf(client);
    await expect.poll(() => events).toEqual(['INITIAL_SESSION']);
    const { email } = await instance.signedIn();
    await client.auth.signInWithPassword({ email, password: PASSWORD });
    await client.auth.refreshSession();
    await client.auth.updateUser({ data: { a: 1 } });
    await client.auth.signOut();
    expect(events).toEqual(['INITIAL_SESSION', 'SIGNED_IN', 'TOKEN_REFRESHED', 'USER_UPDATED', 'SIGNED_OUT']);
  });

  it('reports a verified second factor', async () => {
    const { client } = await instance.signedIn();
    const { data: factor } = await client.auth.mfa.enroll({ factorType: 'totp' });
    const events = eventsOf(client);
    const code = new TOTP({ secret: Secret.fromBase32(factor?.totp.secret ?? '') }).generate();
    const { error } = await client.auth.mfa.challengeAndVerify({ factorId: factor?.id ?? '', code });
    expect(error).toBeNull();
    await expect.poll(() => events).toContain('MFA_CHALLENGE_VERIFIED');
  });

  it('reports a recovery of the password', async () => {
    const { email } = await instance.signedIn();
    const client = instance.newClient();
    await client.auth.resetPasswordForEmail(email);
    const events = eventsOf(client);
    await client.auth.verifyOtp({ email, token: await instance.codeTo(email), type: 'recovery' });
    await expect.poll(() => events).toContain('PASSWORD_RECOVERY');
  });
});

describe('cookies of a session', () => {
  /** The cookies that a server client sets when a user with this metadata signs in. */
  const cookiesWith = async (metadata: object) => {
    const cookies: { name: string; value: string; options: object }[] = [];
    const { email } = instance.newPerson();
    const { url, backend } = instance.greenroom;
    const { auth } = createServerClient(url, backend?.apiKeys.anon ?? '', {
      cookies: { getAll: () => [], setAll: (all) => void cookies.push(...all) },
    });
    const { error } = await auth.signUp({ email, password: PASSWORD, options: { data: metadata } });
    expect(error).toBeNull();
    await expect.poll(() => cookies).not.toEqual([]);
    return cookies.filter(({ name, value }) => value !== '' && !name.endsWith('code-verifier'));
  };

  it('are valid for 400 days, on the whole site', async () => {
    const [cookie] = await cookiesWith({});
    expect(cookie?.options).toMatchObject({ path: '/', sameSite: 'lax', maxAge: 400 * 24 * 3600 });
  });

  it('are split into numbered chunks of 3180 characters', async () => {
    const cookies = await cookiesWith({ long: 'x'.repeat(3000) });
    const names = cookies.map(({ name }) => name.replace(/^.*auth-token/, ''));
    expect(names.length).toBeGreaterThan(1);
    expect(names).toEqual(names.map((_, index) => `.${index}`));
    expect(cookies.slice(0, -1).map(({ value }) => value.length)).toEqual(names.slice(1).map(() => 3180));
  });
});

describe('errors of functions', () => {
  it('are HTTP errors for a response with an error', async () => {
    const { error } = await instance.newClient().functions.invoke('hello');
    expect([error instanceof FunctionsHttpError, error?.context.status]).toEqual([true, 404]);
  });

  it('have a separate class for errors of the relay', async () => {
    instance.gateway = () => new Response('', { status: 500, headers: { 'x-relay-error': 'true' } });
    const { error } = await instance.newClient().functions.invoke('hello');
    expect(error).toBeInstanceOf(FunctionsRelayError);
  });

  it('are fetch errors without a response', async () => {
    instance.gateway = () => {
      throw new TypeError('fetch failed');
    };
    const { error } = await instance.newClient().functions.invoke('hello');
    expect(error).toBeInstanceOf(FunctionsFetchError);
  });
});

describe('errors of storage', () => {
  it('have the status of a response with an error', async () => {
    const { error } = await instance.service().storage.from('none').upload('f.txt', 'text');
    expect(error).toMatchObject({ name: 'StorageApiError', statusCode: '404', message: 'Bucket not found' });
  });

  it('are unknown errors without a response', async () => {
    instance.gateway = () => {
      throw new TypeError('fetch failed');
    };
    const { error } = await instance.newClient().storage.from('b').list();
    expect(error).toMatchObject({ name: 'StorageUnknownError' });
  });
});

describe('the state of a channel', () => {
  it('is closed, joining, joined, leaving, and closed again', async () => {
    class Transport extends WebSocket {
      override send(frame: string) {
        if (frame.includes('phx_leave')) states.push(channel.state);
        super.send(frame);
      }
    }
    const client = instance.newClient(undefined, { realtime: { transport: Transport } });
    const channel = client.channel('room');
    const states = [String(channel.state)];
    const joined = new Promise((resolve) => channel.subscribe(resolve));
    states.push(channel.state);
    expect(await joined).toBe('SUBSCRIBED');
    states.push(channel.state);
    expect(await channel.unsubscribe()).toBe('ok');
    states.push(channel.state);
    expect(states).toEqual(['closed', 'joining', 'joined', 'leaving', 'closed']);
    await client.realtime.disconnect();
  });

  it('is errored after the server has rejected it', async () => {
    const client = instance.newClient();
    const channel = client.channel('secret', { config: { private: true } });
    const status = await new Promise((resolve) => channel.subscribe(resolve));
    expect([status, channel.state]).toEqual(['CHANNEL_ERROR', 'errored']);
    await client.removeChannel(channel);
    await client.realtime.disconnect();
  });
});
