import type { ServerResponse } from 'node:http';
import { loadSettings } from '@greenroom/config';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { authSettings } from '../settings.ts';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { type OtherServer, type Received, startOtherServer } from '../testing/http-server.ts';
import { newEmail, PASSWORD, type Person, refresh, signUpPerson } from '../testing/people.ts';
import { type Call, send } from '../testing/scenario.ts';

const SECRET = 'secret of the site';
const json = (response: ServerResponse, value: unknown) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(value));

/** Token → response of the provider. */
const RESPONSES: Record<string, (response: ServerResponse) => unknown> = {
  good: (response) => json(response, { success: true, hostname: 'localhost' }),
  bad: (response) => json(response, { success: false, 'error-codes': ['invalid-input-response', 'x'] }),
  silent: (response) => json(response, { success: false }),
  hanging: () => {},
  dripping: (response) => response.write('{"success": true'),
  failing: (response) => response.writeHead(500).end('{"success": true}'),
  garbled: (response) => response.end('<html>'),
  empty: (response) => response.end(),
  strange: (response) => json(response, { success: 'true' }),
  'of another type': (response) => json(response, [true]),
  endless: (response) => response.end(`{"success": true, "x": "${'x'.repeat(100_000)}"}`),
  moved: (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  'cut off': (response) => response.destroy(),
};

let provider: OtherServer;
let open: AuthServer;
let server: AuthServer;
let ann: Person;
let serviceKey: string;
beforeAll(async () => {
  provider = await startOtherServer(({ body }: Received, response) => {
    RESPONSES[new URLSearchParams(body).get('response') ?? '']?.(response);
  });
  const switchedOn = { GOTRUE_EXTERNAL_WEB3_SOLANA_ENABLED: 'true', SITE_URL: 'http://localhost:3000' };
  open = await startAuthServer(switchedOn);
  server = await startAuthServer(
    {
      ...switchedOn,
      GOTRUE_SECURITY_CAPTCHA_ENABLED: 'true',
      GOTRUE_SECURITY_CAPTCHA_PROVIDER: 'turnstile',
      GOTRUE_SECURITY_CAPTCHA_SECRET: SECRET,
      GOTRUE_SECURITY_CAPTCHA_TIMEOUT: '300ms',
      GREENROOM_CAPTCHA_VERIFY_URL: `${provider.url}/siteverify`,
    },
    open,
  );
  ann = await signUpPerson(open);
  serviceKey = await open.keys.sign({ role: 'service_role' });
});
afterAll(async () => {
  await server.close();
  await open.close();
  await provider.close();
});
beforeEach(() => {
  provider.received.length = 0;
});

const withToken = (body: object, token: string) => ({
  ...body,
  gotrue_meta_security: { captcha_token: token },
});
const post = (path: string, body: object, more: Partial<Call> = {}, on = server) =>
  send(on, { method: 'POST', path, body, ...more });
const signIn = (token: string, more?: Partial<Call>) =>
  post('/token?grant_type=password', withToken({ email: ann.email, password: PASSWORD }, token), more);

describe('requests that need a captcha', () => {
  it.each<[string, () => object, number]>([
    ['/signup', () => ({ email: newEmail(), password: PASSWORD }), 200],
    ['/signup', () => ({}), 422],
    ['/token?grant_type=password', () => ({ email: ann.email, password: PASSWORD }), 200],
    ['/token?grant_type=web3', () => ({ chain: 'solana' }), 400],
    ['/otp', () => ({ email: newEmail() }), 200],
    ['/magiclink', () => ({ email: newEmail() }), 200],
    ['/recover', () => ({ email: newEmail() }), 200],
    ['/resend', () => ({ type: 'signup', email: newEmail() }), 200],
    ['/sso', () => ({ domain: 'example.org' }), 404],
    ['/passkeys/authentication/options', () => ({}), 200],
  ])('include %s', async (path, body, status) => {
    const [without, bad] = [await post(path, body()), await post(path, withToken(body(), 'bad'))];
    expect(without).toMatchObject({
      status: 400,
      json: {
        error_code: 'captcha_failed',
        msg: 'captcha protection: request disallowed (no captcha_token found)',
      },
    });
    expect(bad).toMatchObject({
      status: 400,
      json: {
        error_code: 'captcha_failed',
        msg: 'captcha protection: request disallowed (invalid-input-response, x)',
      },
    });
    const good = await post(path, withToken(body(), 'good'));
    expect(good.status, good.text).toBe(status);
    expect(good.json.error_code).not.toBe('captcha_failed');
  });

  it.each([
    ['without a body', undefined],
    ['with a token of blanks', withToken({}, '  ')],
    ['with null instead of an object', { gotrue_meta_security: null }],
    ['with null as token', { gotrue_meta_security: { captcha_token: null } }],
    ['with a token that is too long', withToken({}, 'x'.repeat(8193))],
  ])('are rejected without a call of the provider: a request %s', async (_, body) => {
    const call = { method: 'POST' as const, path: '/passkeys/authentication/options' };
    const response = await send(server, body === undefined ? call : { ...call, body });
    expect(response).toMatchObject({ status: 400, json: { error_code: 'captcha_failed' } });
    expect(provider.received).toEqual([]);
  });

  it.each([
    ['text instead of an object', { gotrue_meta_security: 'good' }],
    ['a number as token', { gotrue_meta_security: { captcha_token: 1 } }],
    ['a body that is not JSON', '{'],
  ])('are rejected for an invalid field: %s', async (_, body) => {
    expect(await send(server, { method: 'POST', path: '/otp', body })).toMatchObject({
      status: 400,
      json: { error_code: 'bad_json' },
    });
  });

  it('include those of signed-in users and with the anonymous key', async () => {
    const anonKey = await open.keys.sign({ role: 'anon' });
    for (const bearer of [ann.accessToken, anonKey, 'x.y.z']) {
      expect(await post('/recover', { email: newEmail() }, { bearer })).toMatchObject({
        status: 400,
        json: { error_code: 'captcha_failed' },
      });
    }
  });
});

describe('requests that need no captcha', () => {
  it('are those of admins', async () => {
    const body = { email: newEmail(), password: PASSWORD };
    expect(await post('/signup', body, { bearer: serviceKey })).toMatchObject({ status: 200 });
    expect(provider.received).toEqual([]);
  });

  it('include refreshes and public reads', async () => {
    const person = await signUpPerson(open);
    expect((await refresh(server, person.refreshToken)).status).toBe(200);
    expect((await send(server, { path: '/settings' })).status).toBe(200);
    expect((await send(server, { path: '/user', bearer: person.accessToken })).status).toBe(200);
  });

  it.each(['pkce', 'id_token', 'nothing'])('include the grant %s', async (grant) => {
    const { json } = await post(`/token?grant_type=${grant}`, {});
    expect(json.error_code).not.toBe('captcha_failed');
  });

  it('include POST /verify', async () => {
    const { json } = await post('/verify', { type: 'email', token_hash: 'x' });
    expect(json.error_code).toBe('otp_expired');
  });

  it('are all if captchas are disabled', async () => {
    expect((await post('/recover', { email: newEmail() }, {}, open)).status).toBe(200);
  });
});

describe('the provider', () => {
  it("receives the token, the secret and the client's address as a form", async () => {
    expect((await signIn('good')).status).toBe(200);
    const [request, ...more] = provider.received;
    expect(more).toEqual([]);
    expect(request).toMatchObject({ method: 'POST', path: '/siteverify' });
    expect(request?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      secret: SECRET,
      response: 'good',
      remoteip: '127.0.0.1',
    });
  });

  it('may reject a token without a reason', async () => {
    expect((await signIn('silent')).json.msg).toBe(
      'captcha protection: request disallowed (no reason given)',
    );
  });

  it.each(Object.keys(RESPONSES).filter((token) => !['good', 'bad', 'silent'].includes(token)))(
    'cannot cause an acceptance by an invalid response: %s',
    async (token) => {
      const { status, json, text } = await signIn(token);
      expect([status, json.error_code, json.msg]).toEqual([
        500,
        'unexpected_failure',
        'captcha verification process failed',
      ]);
      expect(text).not.toContain(SECRET);
      expect(provider.received.map(({ path }) => path)).toEqual(['/siteverify']);
    },
  );

  it('cannot cause an acceptance by refusing connections', async () => {
    const unreachable = await startOtherServer(() => {});
    await unreachable.close();
    const isolated = await startAuthServer(
      {
        GOTRUE_SECURITY_CAPTCHA_ENABLED: 'true',
        GOTRUE_SECURITY_CAPTCHA_SECRET: SECRET,
        GREENROOM_CAPTCHA_VERIFY_URL: unreachable.url,
      },
      open,
    );
    const body = withToken({ email: newEmail() }, 'good');
    expect((await post('/recover', body, {}, isolated)).status).toBe(500);
    await isolated.close();
  });
});

it('the official client sends its token', async () => {
  const api = createClient(server.url.replace(/\/auth\/v1$/, ''), 'key', {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  const attempt = (captchaToken: string) =>
    api.auth.signInWithPassword({ email: ann.email, password: PASSWORD, options: { captchaToken } });
  expect((await attempt('bad')).error).toMatchObject({ status: 400, code: 'captcha_failed' });
  expect((await attempt('good')).error).toBeNull();
});

describe('the settings', () => {
  const on = { GOTRUE_SECURITY_CAPTCHA_ENABLED: 'true', GOTRUE_SECURITY_CAPTCHA_SECRET: SECRET };

  it.each([
    ['hcaptcha', 'https://hcaptcha.com/siteverify'],
    ['turnstile', 'https://challenges.cloudflare.com/turnstile/v0/siteverify'],
  ])('have the URL of %s', (GOTRUE_SECURITY_CAPTCHA_PROVIDER, verifyUrl) => {
    const { captcha } = loadSettings(authSettings, { ...on, GOTRUE_SECURITY_CAPTCHA_PROVIDER });
    expect(captcha).toEqual({ verifyUrl, secret: SECRET, timeoutMs: 5000 });
  });

  it.each([
    ['without the secret', { ...on, GOTRUE_SECURITY_CAPTCHA_SECRET: '' }, 'GOTRUE_SECURITY_CAPTCHA_SECRET'],
    [
      'of another provider',
      { ...on, GOTRUE_SECURITY_CAPTCHA_PROVIDER: 'mine' },
      'GOTRUE_SECURITY_CAPTCHA_PROVIDER',
    ],
  ])('prevent the start: %s', (_, env, name) => {
    expect(() => loadSettings(authSettings, env)).toThrow(name);
    expect(() => loadSettings(authSettings, env)).not.toThrow(SECRET);
  });
});
