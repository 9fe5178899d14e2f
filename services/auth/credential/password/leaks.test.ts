import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { createClient } from '@supabase/supabase-js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../../testing/auth-server.ts';
import { type OtherServer, startOtherServer } from '../../testing/http-server.ts';
import { newEmail, PASSWORD, signUpPerson } from '../../testing/people.ts';
import { send } from '../../testing/scenario.ts';
import { createLeakCheck } from './leaks.ts';

const LEAKED = 'leaked horse';
const digestOf = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase();
const prefixOf = (password: string) => digestOf(password).slice(0, 5);
const line = (password: string, count: number) => `${digestOf(password).slice(5)}:${count}`;
const padding = Array.from({ length: 20 }, (_, index) => `${line(`p${index}`, 0)}`);

/** Response of the list; each test can set its own. */
const listing =
  (...lines: string[]) =>
  (_prefix: string, response: ServerResponse) =>
    void response.end([...padding, ...lines].join('\r\n'));
const honest = listing(line(LEAKED, 42), line('padded horse', 0));
let respond = honest;

let list: OtherServer;
let rangeUrl: string;
beforeAll(async () => {
  list = await startOtherServer(({ path }, response) => respond(path, response));
  rangeUrl = `${list.url}/range`;
});
afterAll(() => list.close());
afterEach(() => {
  respond = honest;
  list.received.length = 0;
});

describe('the list of leaked passwords', () => {
  it('receives the first five digits of the hash and returns a padded response', async () => {
    const isLeaked = createLeakCheck({ rangeUrl, failClosed: false });
    expect(await isLeaked(LEAKED)).toBe(true);
    expect(list.received).toHaveLength(1);
    const [request] = list.received;
    expect(request).toMatchObject({ method: 'GET', path: `/range/${prefixOf(LEAKED)}`, body: '' });
    expect(request?.headers['add-padding']).toBe('true');
    expect(JSON.stringify(request)).not.toContain(digestOf(LEAKED).slice(5));
    expect(JSON.stringify(request)).not.toContain(LEAKED);
  });

  it.each([
    ['another password', 'other horse', false],
    ['a password of its padding', 'padded horse', false],
    ['the leaked password', LEAKED, true],
    ['the leaked password in another case', LEAKED.toUpperCase(), false],
  ])('has for %s (%s) the result %s', async (_, password, expected) => {
    expect(await createLeakCheck({ rangeUrl, failClosed: false })(password)).toBe(expected);
  });

  it('may be in lower case and have Unix line endings', async () => {
    respond = (_, response) => void response.end(`${padding[0]}\n${line(LEAKED, 1).toLowerCase()}`);
    expect(await createLeakCheck({ rangeUrl, failClosed: false })(LEAKED)).toBe(true);
  });

  it('is fetched once per range by concurrent checks, and again after a failure', async () => {
    const isLeaked = createLeakCheck({ rangeUrl, failClosed: false });
    respond = (_, response) => void response.writeHead(503).end();
    await expect(isLeaked(LEAKED)).rejects.toThrow('503');
    respond = honest;
    list.received.length = 0;
    const found = await Promise.all(Array.from({ length: 20 }, () => isLeaked(LEAKED)));
    expect([new Set(found), await isLeaked(LEAKED)]).toEqual([new Set([true]), true]);
    expect(list.received).toHaveLength(1);
  });

  it('is cached with a bounded size, and correct after an eviction', async () => {
    const isLeaked = createLeakCheck({ rangeUrl, failClosed: false });
    const lines = Array.from({ length: 20_000 }, (_, index) => line(`x${index}`, 1));
    respond = listing(...lines, line(LEAKED, 1));
    expect(await isLeaked(LEAKED)).toBe(true);
    const others = Array.from({ length: 20 }, (_, index) => `other ${index}`);
    // Sequential, because each request has a timeout.
    for (const other of others) expect(await isLeaked(other)).toBe(false);
    list.received.length = 0;
    expect(await isLeaked(LEAKED)).toBe(true);
    expect(list.received).toHaveLength(1);
  });

  it.each<[string, (prefix: string, response: ServerResponse) => unknown]>([
    ['does not respond', () => {}],
    ['stops within the response', (_, response) => response.write(padding[0])],
    ['closes the connection', (_, response) => response.destroy()],
    ['returns an error', (_, response) => response.writeHead(500).end(line(LEAKED, 1))],
    ['redirects', (_, response) => response.writeHead(301, { location: '/range/x' }).end()],
    ['returns a page', (_, response) => response.end('<html>')],
    ['returns nothing', (_, response) => response.end()],
    ['returns an endless list', (_, response) => response.end(`${line(LEAKED, 1)}\r\n`.repeat(50_000))],
  ])('is rejected if the server %s', async (_, broken) => {
    respond = broken as typeof respond;
    await expect(createLeakCheck({ rangeUrl, failClosed: false })(LEAKED)).rejects.toThrow();
  });

  it('is not fetched if the check is disabled', async () => {
    expect(await createLeakCheck(undefined)(LEAKED)).toBe(false);
    expect(list.received).toEqual([]);
  });
});

describe('a leaked password', () => {
  let off: AuthServer;
  let server: AuthServer;
  let closed: AuthServer;
  beforeAll(async () => {
    const on = { GOTRUE_PASSWORD_HIBP_ENABLED: 'true', GREENROOM_PASSWORD_HIBP_URL: `${rangeUrl}/` };
    off = await startAuthServer();
    server = await startAuthServer({ ...on, GOTRUE_PASSWORD_MIN_LENGTH: '12' }, off);
    closed = await startAuthServer({ ...on, GOTRUE_PASSWORD_HIBP_FAIL_CLOSED: 'true' }, off);
  });
  afterAll(async () => {
    await Promise.all([server.close(), closed.close()]);
    await off.close();
  });

  const post = (path: string, body: object, on = server, bearer?: string) =>
    send(on, { method: 'POST', path, body, bearer });
  const refusal = {
    status: 422,
    json: { error_code: 'weak_password', weak_password: { reasons: ['pwned'] } },
  };

  it('is rejected on sign-up, with the other reasons', async () => {
    expect(await post('/signup', { email: newEmail(), password: LEAKED })).toMatchObject(refusal);
    respond = listing(line('short', 1));
    expect((await post('/signup', { email: newEmail(), password: 'short' })).json.weak_password).toEqual({
      reasons: ['length', 'pwned'],
    });
  });

  it('is rejected as a new one, by the user and by an admin', async () => {
    const ann = await signUpPerson(off);
    const body = { password: LEAKED };
    const own = await send(server, { method: 'PUT', path: '/user', bearer: ann.accessToken, body });
    expect(own).toMatchObject(refusal);
    const bearer = await off.keys.sign({ role: 'service_role' });
    const path = `/admin/users/${ann.id}`;
    expect(await send(server, { method: 'PUT', path, bearer, body })).toMatchObject(refusal);
    const link = { type: 'signup', email: newEmail(), password: LEAKED };
    expect(await post('/admin/generate_link', link, server, bearer)).toMatchObject(refusal);
  });

  it('signs in, and is reported as weak', async () => {
    const email = newEmail();
    await post('/signup', { email, password: LEAKED }, off);
    const { status, json } = await post('/token?grant_type=password', { email, password: LEAKED });
    expect(status).toBe(200);
    expect(json.weak_password).toMatchObject({ reasons: ['pwned'] });
    const wrong = await post('/token?grant_type=password', { email, password: 'padded horse' });
    expect(wrong.json).not.toHaveProperty('weak_password');
    const api = createClient(server.url.replace(/\/auth\/v1$/, ''), 'key', {
      auth: { persistSession: false, autoRefreshToken: false },
    });
    const { data } = await api.auth.signInWithPassword({ email, password: LEAKED });
    expect(data.weakPassword?.reasons).toEqual(['pwned']);
  });

  it('is not checked if the password is wrong', async () => {
    const { email } = await signUpPerson(off);
    await post('/token?grant_type=password', { email, password: 'never asked about' });
    expect(list.received).toEqual([]);
  });

  it.each([
    ['accepted', () => server, 200],
    ['rejected with fail-closed', () => closed, 500],
  ])('is %s if the list is unavailable', async (_, on, status) => {
    respond = (_prefix, response) => void response.destroy();
    const body = { email: newEmail(), password: `unknown horse ${newEmail()}`.slice(0, 60) };
    expect((await post('/signup', body, on())).status).toBe(status);
    expect(list.received.length).toBeGreaterThan(0);
  });

  it('does not prevent a sign-in if the list is not available, even with fail-closed', async () => {
    respond = (_prefix, response) => void response.destroy();
    const { email } = await signUpPerson(off);
    expect((await post('/token?grant_type=password', { email, password: PASSWORD }, closed)).status).toBe(
      200,
    );
  });
});
