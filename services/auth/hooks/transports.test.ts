/** Outputs of hooks, valid and invalid, with the example of the hook before a new account. */
import { gzipSync } from 'node:zlib';
import { freePort } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { createFunction, functionEnv } from '../testing/hook-function.ts';
import { type HookReply, type HookServer, startHookServer } from '../testing/hook-server.ts';
import { newEmail, PASSWORD } from '../testing/people.ts';
import { send } from '../testing/scenario.ts';

const HUGE = { x: 'x'.repeat(200 * 1024) };
const MODERN = { 'x-supabase-api-version': '2024-01-01' };

let hooks: HookServer;
let http: AuthServer;
let sql: AuthServer;
beforeAll(async () => {
  hooks = await startHookServer();
  hooks.reply = ({ body }) => REPLIES[body.user.user_metadata.reply]?.[0] ?? { body: {} };
  http = await startAuthServer(hooks.env('BEFORE_USER_CREATED'));
  sql = await startAuthServer(functionEnv('BEFORE_USER_CREATED', 'Before_User'), http);
});
afterAll(async () => {
  await sql.close();
  await http.close();
  await hooks.close();
});

/** Signs up. The hook responds with `reply`. */
async function signUp(server: AuthServer, reply: string, headers: Record<string, string> = MODERN) {
  const email = newEmail();
  const body = { email, password: PASSWORD, data: { reply } };
  const {
    status,
    json,
    headers: responseHeaders,
  } = await send(server, { method: 'POST', path: '/signup', headers, body });
  const rows = await server.database.admin.query({
    text: 'select from auth.users where email = $1',
    values: [email],
  });
  return { email, status, json, code: responseHeaders.get('x-sb-error-code'), exists: rows.length === 1 };
}

/** Name → response of the endpoint, and resulting status and error. */
const REPLIES: Record<string, [HookReply, number, string?, string?]> = {
  'an object': [{ body: {} }, 200],
  'an object with unknown fields': [{ body: { decision: 'whatever', error: {} } }, 200],
  null: [{ headers: { 'content-type': 'application/json' }, body: 'null' }, 200],
  'no error': [{ body: { error: null } }, 200],
  '202': [{ status: 202, body: {} }, 200],
  '204': [{ status: 204 }, 200],
  'an error': [{ body: { error: { http_code: 403, message: 'Not you' } } }, 403, 'unknown', 'Not you'],
  'an error without a status': [{ body: { error: { message: 'No' } } }, 500, 'unexpected_failure', 'No'],
  'an error of 500': [
    { body: { error: { http_code: 500, message: 'No' } } },
    500,
    'unexpected_failure',
    'No',
  ],
  'an error without a message': [
    { body: { error: { http_code: 409 } } },
    409,
    'unknown',
    'Rejected by a hook',
  ],
  'an error that is a text': [{ body: { error: 'No' } }, 500, 'unexpected_failure', 'No'],
  'an error of status 200': [
    { body: { error: { http_code: 200, message: 'No' } } },
    500,
    'unexpected_failure',
  ],
  'an error of status 9999': [
    { body: { error: { http_code: 9999, message: 'No' } } },
    500,
    'unexpected_failure',
  ],
  'an error of status "403"': [
    { body: { error: { http_code: '403', message: 'No' } } },
    500,
    'unexpected_failure',
  ],
  'a list': [{ body: [] }, 500, 'unexpected_failure'],
  'a text': [{ headers: { 'content-type': 'application/json' }, body: '"x"' }, 500, 'unexpected_failure'],
  'invalid JSON': [{ headers: { 'content-type': 'application/json' }, body: '{' }, 500, 'unexpected_failure'],
  'invalid UTF-8': [
    { headers: { 'content-type': 'application/json' }, body: Buffer.from([0x22, 0xff, 0x22]) },
    500,
    'unexpected_failure',
  ],
  'a missing content type': [{ headers: {}, body: '{}' }, 400, 'hook_payload_invalid_content_type'],
  HTML: [{ headers: { 'content-type': 'text/html' }, body: '{}' }, 400, 'hook_payload_invalid_content_type'],
  'a type similar to JSON': [
    { headers: { 'content-type': 'application/jsonx' }, body: '{}' },
    400,
    'hook_payload_invalid_content_type',
  ],
  'a body that is too large': [{ body: HUGE }, 422, 'hook_payload_over_size_limit'],
  'a compressed body that is too large': [
    {
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync(JSON.stringify(HUGE)),
    },
    422,
    'hook_payload_over_size_limit',
  ],
  '201': [
    { status: 201, body: {} },
    500,
    'unexpected_failure',
    'Unexpected status code returned from hook: 201',
  ],
  '400': [{ status: 400, body: {} }, 500, 'unexpected_failure', 'Invalid payload sent to hook'],
  '401': [{ status: 401, body: {} }, 500, 'unexpected_failure', 'Hook requires authorization token'],
  '404': [{ status: 404, body: {} }, 500, 'unexpected_failure'],
  '500': [{ status: 500, body: { error: { http_code: 403, message: 'x' } } }, 500, 'unexpected_failure'],
  '503 to every attempt': [
    { status: 503, body: {} },
    500,
    'unexpected_failure',
    'Service currently unavailable due to hook',
  ],
  'a redirect': [{ status: 307, headers: { location: '/elsewhere' } }, 500, 'unexpected_failure'],
};

describe('over HTTP', () => {
  it.concurrent.each(Object.entries(REPLIES))(
    'handle the response: %s',
    async (reply, [, status, code, message]) => {
      const answered = await signUp(http, reply);
      expect(answered, JSON.stringify(answered.json)).toMatchObject({
        status,
        code: code ?? null,
        exists: status === 200,
        ...(message === undefined ? {} : { json: { message } }),
      });
    },
  );

  it('signs the payload with id and time', async () => {
    const { email } = await signUp(http, 'an object');
    const call = hooks.calls.find(({ body }) => body.user.email === email);
    expect(call?.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': expect.stringMatching(/^v1,[\w+/=]{44} v1,[\w+/=]{44}$/),
    });
    expect(call?.body.metadata).toEqual({
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      name: 'before-user-created',
      ip_address: '127.0.0.1',
    });
  });

  it('reports the same errors to clients of the older API version', async () => {
    const { json } = await signUp(http, 'an error', {});
    expect(json).toEqual({ code: 403, error_code: 'unknown', msg: 'Not you' });
  });
});

// A busy machine may delay one.
describe('retries over HTTP', { retry: 2 }, () => {
  it.concurrent('wait two seconds if the response requests it, and have the same id', async () => {
    REPLIES.busy = [{ status: 429, headers: { 'retry-after': 'true' } }, 500];
    const { email, status, exists } = await signUp(http, 'busy');
    const calls = hooks.calls.filter(({ body }) => body.user.email === email);
    expect({ status, exists, count: calls.length }).toEqual({ status: 500, exists: false, count: 3 });
    expect(new Set(calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const [first = 0, second = 0, third = 0] = calls.map(({ at }) => at);
    expect(second - first).toBeGreaterThan(1900);
    expect(third - second).toBeGreaterThan(1900);
  });

  it.concurrent('return the response of a second try', async () => {
    let tries = 0;
    const reply: HookReply = {};
    REPLIES['busy once'] = [reply, 200];
    Object.defineProperty(reply, 'status', { get: () => (tries++ === 0 ? 503 : 204) });
    Object.defineProperty(reply, 'headers', { get: () => ({ 'retry-after': '1' }) });
    expect(await signUp(http, 'busy once')).toMatchObject({ status: 200, exists: true });
  });

  it.concurrent.each<[string, HookReply]>([
    ['a missing response', { afterMs: 7000, body: {} }],
    ['a connection that breaks late', { afterMs: 4500, abortsResponse: true }],
  ])('time out after five seconds for %s', async (name, reply) => {
    REPLIES[name] = [reply, 422];
    expect(await signUp(http, name)).toMatchObject({ status: 422, code: 'hook_timeout', exists: false });
  });

  it.concurrent('end after repeated broken connections', async () => {
    REPLIES['breaks off'] = [{ abortsResponse: true }, 422];
    const { email, status, code, exists } = await signUp(http, 'breaks off');
    expect({ status, code, exists }).toEqual({
      status: 422,
      code: 'hook_timeout_after_retry',
      exists: false,
    });
    expect(hooks.calls.filter(({ body }) => body.user.email === email)).toHaveLength(3);
  });

  it.concurrent('end if no server listens', async () => {
    const port = await freePort();
    const env = {
      ...hooks.env('BEFORE_USER_CREATED'),
      GOTRUE_HOOK_BEFORE_USER_CREATED_URI: `http://127.0.0.1:${port}`,
    };
    const isolated = await startAuthServer(env, http);
    expect(await signUp(isolated, '')).toMatchObject({
      status: 422,
      code: 'hook_timeout_after_retry',
      exists: false,
    });
    await isolated.close();
  });
});

describe('a database function', () => {
  const RUNNING = 'Error running hook URI: pg-functions://postgres/public/Before_User';

  it.each<[string, string, number, string?, string?]>([
    ['an object', "begin return '{}'; end", 200],
    ['NULL', 'begin return null; end', 200],
    ['an empty error', `begin return '{"error": {}}'; end`, 200],
    [
      'an error',
      `begin return '{"error": {"http_code": 403, "message": "Not you"}}'; end`,
      403,
      'unknown',
      'Not you',
    ],
    [
      'an error without a status',
      `begin return '{"error": {"message": "No"}}'; end`,
      500,
      'unexpected_failure',
      'No',
    ],
    ['an exception', `begin raise exception 'Not you'; end`, 500, 'unexpected_failure', 'Not you'],
    [
      'an exception with a status',
      `begin raise sqlstate 'PT409' using message = 'Taken'; end`,
      409,
      'unknown',
      'Taken',
    ],
    ['an error in the function', 'begin perform 1 / 0; end', 500, 'unexpected_failure', RUNNING],
    [
      'a table without privileges',
      'begin perform from greenroom.first_admin_links; return null; end',
      500,
      'unexpected_failure',
      RUNNING,
    ],
    ['a run of more than two seconds', `begin perform pg_sleep(4); return '{}'; end`, 422, 'hook_timeout'],
    [
      'a result that is too large',
      `begin return jsonb_build_object('x', repeat('x', 204800)); end`,
      422,
      'hook_payload_over_size_limit',
    ],
    ['a list', "begin return '[]'; end", 500, 'unexpected_failure'],
  ])('handles the result: %s', async (_, body, status, code, message) => {
    await createFunction(sql, 'Before_User', body);
    const answered = await signUp(sql, '');
    expect(answered, JSON.stringify(answered.json)).toMatchObject({
      status,
      code: code ?? null,
      exists: status === 200,
      ...(message === undefined ? {} : { json: { message } }),
    });
  });

  it.each([
    ['void', 'begin null; end', 200],
    ['json', "begin return '{}'; end", 200],
    ['text', "begin return ''; end", 200],
    ['text', "begin return 'no JSON'; end", 500],
    ['setof jsonb', 'begin return; end', 200],
  ])('has the return type %s', async (returns, body, status) => {
    const drop = 'drop function if exists public."Before_User"(jsonb)';
    await sql.database.admin.query({ text: drop });
    await createFunction(sql, 'Before_User', body, returns);
    expect((await signUp(sql, '')).status).toBe(status);
    await sql.database.admin.query({ text: drop });
  });

  it('that is missing is an error', async () => {
    expect(await signUp(sql, '')).toMatchObject({ status: 500, json: { message: RUNNING }, exists: false });
  });

  it('runs as supabase_auth_admin, with only its own time limit', async () => {
    await createFunction(
      sql,
      'Before_User',
      `begin return jsonb_build_object('error', jsonb_build_object('message',
        current_user || ' ' || current_setting('statement_timeout'), 'http_code', 418)); end`,
    );
    const { json } = await signUp(sql, '');
    expect(json.message).toBe('supabase_auth_admin 2s');
    const [after] = await sql.database.auth.query({ text: 'show statement_timeout' });
    expect(after).toEqual({ statement_timeout: '0' });
  });

  it('reports its exception to clients of the older API version, with hint and detail', async () => {
    await createFunction(
      sql,
      'Before_User',
      `begin raise exception 'Not you' using hint = 'Somebody else', detail = 'At all'; end`,
    );
    const { status, json } = await signUp(sql, '', {});
    expect({ status, json }).toEqual({
      status: 500,
      json: { code: 'P0001', message: 'Not you', hint: 'Somebody else', detail: 'At all' },
    });
  });
});
