import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { migrate, openSession, platformMigrations } from '@greenroom/postgres';
import type { OpenService } from '@greenroom/service';
import { createEmptyDatabase, createTestDatabase, freePort, type TestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { jobsService } from './service.ts';
import { type HttpEndpoint, startHttpEndpoint } from './testing/http-endpoint.ts';
import { openTestJobs } from './testing/open-jobs.ts';

const MAX_CONCURRENT = 20;
const MAX_RESPONSE_BYTES = 100_000;

let database: TestDatabase;
/** The server that requests reach, because a setting allows it. */
let endpoint: HttpEndpoint;
/** The server in place of the instance's own API. */
let api: HttpEndpoint;
let jobs: OpenService;
/** Accepts connections, and never sends anything. */
const silent = createServer();

beforeAll(async () => {
  database = await createTestDatabase();
  endpoint = await startHttpEndpoint();
  api = await startHttpEndpoint();
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  await database.run(
    `insert into net._http_response (id, status_code, created) values (-1, 200, now() - interval '7 h')`,
  );
  jobs = await openJobs();
});
afterAll(async () => {
  await jobs.close();
  await endpoint.close();
  await api.close();
  silent.close();
  await database.drop();
});
beforeEach(() => {
  endpoint.received = [];
  endpoint.respond = (_request, response) => void response.end('ok');
});

function openJobs(localUrl = api.url, queueUrl = database.netUrl): Promise<OpenService> {
  const net = { maxConcurrentRequests: MAX_CONCURRENT, maxResponseBytes: MAX_RESPONSE_BYTES };
  const allowed = [`127.0.0.1:${endpoint.port}`, `localhost:${silentPort()}`];
  return openTestJobs({ localUrl, queueUrl, allowed, net });
}

const silentPort = () => (silent.address() as AddressInfo).port;
const rows = <Row = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  database.admin.query<Row>({ text, values });

/** Sends a request and returns its response. */
async function send(call: string): Promise<Record<string, unknown>> {
  const [request] = await rows<{ id: string }>(`select ${call} as id`);
  return responseTo(request?.id ?? '');
}

async function responseTo(id: string): Promise<Record<string, unknown>> {
  const read = () => rows('select * from net._http_response where id = $1', [id]);
  await expect.poll(read).toHaveLength(1);
  const [response = {}] = await read();
  return response;
}

const get = (path: string, more = '') => send(`net.http_get('${endpoint.url}${path}'${more})`);

describe('a request', () => {
  it('leaves after the commit of its transaction, and never after a rollback', async () => {
    const post = (path: string) => ({ text: `select net.http_post('${endpoint.url}/${path}')` });
    await database.admin.transaction(async (tx) => {
      await tx.query(post('later'));
      // A request of another transaction passes it.
      await get('/first');
      expect(endpoint.pathsWith('/')).toEqual(['/first']);
    });
    await database.admin.transaction(async (tx) => {
      await tx.query(post('never'));
      await tx.rollback();
    });
    await expect.poll(() => endpoint.pathsWith('/later')).toHaveLength(1);
    await get('/last');
    expect(endpoint.pathsWith('/')).toEqual(['/first', '/later', '/last']);
  });

  it('has the method, the headers and the body of its call', async () => {
    await send(
      `net.http_post('${endpoint.url}/a?b=1', '{"c": "ü"}', '{"d": "e f"}', '{"X-Key": "k", "n": 7}')`,
    );
    await send(
      `net.http_delete('${endpoint.url}/d', headers := '{"User-Agent": "mine", "Content-Length": "9"}', body := '[1]')`,
    );
    await send(`net.http_get('http://me:pass@127.0.0.1:${endpoint.port}/g', headers := null)`);
    const json = { 'content-type': 'application/json' };
    expect(endpoint.received).toMatchObject([
      {
        method: 'POST',
        path: '/a?b=1&d=e%20f',
        headers: { 'x-key': 'k', n: '7', accept: '*/*', 'user-agent': 'pg_net/0.20.0', ...json },
        body: '{"c": "ü"}',
      },
      { method: 'DELETE', path: '/d', headers: { 'user-agent': 'mine' }, body: '[1]' },
      { method: 'GET', path: '/g', headers: { authorization: 'Basic bWU6cGFzcw==' }, body: '' },
    ]);
    expect(await rows('select from net.http_request_queue')).toEqual([]);
  });

  it('leaves its response', async () => {
    endpoint.respond = (_request, response) =>
      void response
        .writeHead(418, { 'X-Name': 'value', 'Content-Type': 'text/plain; charset=utf-8' })
        .end('tea ü\0rest');
    expect(await get('/tea')).toMatchObject({
      status_code: 418,
      content_type: 'text/plain; charset=utf-8',
      headers: { 'X-Name': 'value' },
      content: 'tea ü',
      timed_out: false,
      error_msg: null,
      created: expect.any(Date),
    });
    endpoint.respond = (_request, response) => void response.writeHead(204).end();
    expect(await get('/none')).toMatchObject({ status_code: 204, content: null, error_msg: null });
  });

  it('ends at its timeout, also while the response arrives', async () => {
    endpoint.respond = (request, response) => {
      if (request.path === '/slow') response.write('begin');
    };
    for (const path of ['/hang', '/slow']) {
      expect(await get(path, ', timeout_milliseconds := 60')).toMatchObject({
        status_code: null,
        timed_out: true,
        error_msg: expect.stringMatching(/^Timeout of 60 ms reached\. Total time: \d+\.\d{6} ms \(DNS time/),
      });
    }
  });

  it.each<[string, () => string, { dns: boolean; http: boolean }]>([
    ['an address that sends no response', () => `${endpoint.url}/hang`, { dns: false, http: true }],
    ['a name without TLS handshake', () => `https://localhost:${silentPort()}/`, { dns: true, http: false }],
  ])('to %s leaves the time of each phase at its timeout', async (_name, url, expected) => {
    endpoint.respond = () => undefined;
    const { error_msg } = await send(`net.http_get('${url()}', timeout_milliseconds := 300)`);
    const [total = 0, dns = 0, handshake = 0, http = 0] =
      /^Timeout of 300 ms reached\. Total time: (\S+) ms \(DNS time: (\S+) ms, TCP\/SSL handshake time: (\S+) ms, HTTP Request\/Response time: (\S+) ms\)$/
        .exec(String(error_msg))
        ?.slice(1)
        .map(Number) ?? [];
    expect({ dns: dns > 0, handshake: handshake > 0, http: http > 0 }).toEqual({
      handshake: true,
      ...expected,
    });
    expect(dns + handshake + http).toBeCloseTo(total, 4);
  });

  it('keeps the status of a response that is too large, without its content', async () => {
    endpoint.respond = (request, response) =>
      void response.end('x'.repeat(MAX_RESPONSE_BYTES + (request.path === '/large' ? 1 : 0)));
    const { content } = await get('/full');
    expect((content as string).length).toBe(MAX_RESPONSE_BYTES);
    expect(await get('/large')).toMatchObject({
      status_code: 200,
      content: null,
      timed_out: false,
      error_msg: 'The response has more than 100000 bytes',
    });
  });

  it.each([
    [
      'http://127.0.0.1:1/',
      `The request was not sent, because 127.0.0.1 is not public. To allow it: GREENROOM_NET_ALLOWED_HOSTS=127.0.0.1:1`,
    ],
    ['http://no-such-name.invalid/', "Couldn't resolve host name"],
  ])('to %s leaves the error: %s', async (url, message) => {
    expect(await send(`net.http_get('${url}')`)).toMatchObject({
      status_code: null,
      timed_out: false,
      error_msg: message,
    });
  });

  it.each([
    ['/closed', 'Server returned nothing (no headers, no data)'],
    ['/no-colon', 'Weird server reply'],
    ['/name-with-space', 'Weird server reply'],
    ['/control-character', 'Weird server reply'],
  ])('to a server that fails (%s) leaves the error: %s', async (path, message) => {
    const headers: Record<string, string> = {
      '/no-colon': 'broken header',
      '/name-with-space': 'x name: value',
      '/control-character': 'x-name: a\x01b',
    };
    endpoint.respond = (request, { socket }) => {
      const header = headers[request.path];
      if (header === undefined) socket?.destroy();
      else socket?.end(`HTTP/1.1 200 OK\r\n${header}\r\ncontent-length: 0\r\n\r\n`);
    };
    expect(await get(path)).toMatchObject({ status_code: null, error_msg: message });
  });

  it.each([
    [`headers := '{"a\\nb": "c"}'`, 'The header "a\\nb" is not valid'],
    [`headers := '{"a": "b\\r\\nc: d"}'`, 'The header "a" is not valid'],
    [`headers := jsonb_build_object('a', repeat('b', 70000))`, 'The headers have more than 65536 bytes'],
  ])('with %s is not sent', async (argument, message) => {
    expect(await get('/x', `, ${argument}`)).toMatchObject({ status_code: null, error_msg: message });
    expect(endpoint.received).toEqual([]);
  });
});

describe('a redirect', () => {
  const redirect = (targets: Record<string, [number, string]>) => {
    endpoint.respond = (request, response) => {
      const [status, location] = targets[request.path] ?? [200, ''];
      response.writeHead(status, location === '' ? {} : { location }).end(request.method);
    };
  };

  it.each([
    [301, 'POST', 'GET'],
    [303, 'DELETE', 'DELETE'],
    [307, 'POST', 'POST'],
  ])('with %s changes %s to %s', async (status, method, next) => {
    redirect({ '/from': [status, '/to'] });
    const response = await send(
      `net.http_${method.toLowerCase()}('${endpoint.url}/from', body := '{"a": 1}')`,
    );
    expect(response).toMatchObject({ status_code: 200, content: next });
    expect(endpoint.received.at(-1)).toMatchObject({ path: '/to', body: status === 307 ? '{"a": 1}' : '' });
  });

  it('to another origin loses credentials', async () => {
    const other = `http://localhost:${api.port}/functions/v1/hello`;
    redirect({ '/from': [302, other] });
    api.received = [];
    await send(
      `net.http_get('${endpoint.url}/from', headers := '{"Authorization": "secret", "apikey": "secret", "x-id": "1"}')`,
    );
    const [received] = api.received;
    expect(received?.headers).toMatchObject({ 'x-id': '1' });
    expect(JSON.stringify(received?.headers)).not.toContain('secret');
  });

  it('to a private address is refused', async () => {
    redirect({ '/from': [302, 'http://169.254.169.254/latest/meta-data/'] });
    expect(await get('/from')).toMatchObject({
      status_code: null,
      error_msg: expect.stringContaining('169.254.169.254 is not public'),
    });
  });

  it('without an end is an error', async () => {
    redirect({ '/from': [302, '/from'] });
    expect(await get('/from')).toMatchObject({ error_msg: 'Number of redirects hit maximum amount' });
    expect(endpoint.received).toHaveLength(11);
  });
});

describe('the API of the instance', () => {
  it.each([
    () => `${api.url}/rest/v1/notes`,
    () => 'http://kong:8000/functions/v1/hello?x=1',
    () => 'http://supabase_kong_my-app:8000/functions/v1/hello',
    () => `http://host.docker.internal:${api.port}/functions/v1/hello`,
    () => `http://localhost:${api.port}/storage/v1/bucket`,
    () => 'https://api.example.org/functions/v1/hello',
  ])('is reached by each of its names', async (url) => {
    api.received = [];
    const address = new URL(url());
    expect(await send(`net.http_post('${address.href}')`)).toMatchObject({ status_code: 200 });
    expect(api.received).toMatchObject([{ method: 'POST', path: address.pathname + address.search }]);
  });

  it.each(['/metrics', '/health', '/functions/v1/../../metrics', '/admin'])(
    'does not serve %s to SQL',
    async (path) => {
      api.received = [];
      expect(await send(`net.http_get('${api.url}${path}')`)).toMatchObject({
        error_msg: expect.stringContaining('is not public'),
      });
      expect(api.received).toEqual([]);
    },
  );
});

it.each([
  'http://localhost/',
  'http://[::1]/',
  'http://[fe80::1]/',
  'http://[fd00:ec2::254]/',
  'http://[::ffff:127.0.0.1]/',
  'http://10.0.0.1/',
  'http://2130706433/',
  'http://169.254.169.254/',
  'http://host.docker.internal:3000/',
  'http://0.0.0.0/',
])('%s is refused without a setting', async (url) => {
  expect(await send(`net.http_get('${url}')`)).toMatchObject({
    error_msg: expect.stringContaining('is not public'),
  });
});

it('1,000 requests of one transaction are sent once each, with a bounded concurrency', async () => {
  endpoint.maxInProgress = 0;
  const [last] = await rows<{ id: string }>(
    `select max(net.http_post('${endpoint.url}/n/' || n)) as id from generate_series(1, 1000) as n`,
  );
  await expect.poll(async () => (await rows('select from net.http_request_queue')).length).toBe(0);
  await responseTo(last?.id ?? '');
  expect(new Set(endpoint.pathsWith('/n/')).size).toBe(1000);
  expect(endpoint.received).toHaveLength(1000);
  expect(endpoint.maxInProgress).toBeLessThanOrEqual(MAX_CONCURRENT);
});

it('a response that a trigger of the project rejects does not repeat its request', async () => {
  await database.run(`
    create function public.reject() returns trigger language plpgsql as $$
    begin
      if new.content = 'reject' then raise exception 'no'; end if;
      return new;
    end $$;
    create trigger reject before insert on net._http_response for each row execute function public.reject()`);
  endpoint.respond = ({ path }, response) => void response.end(path === '/r' ? 'reject' : 'ok');
  await rows(`select net.http_get('${endpoint.url}/r')`);
  expect(await get('/after')).toMatchObject({ status_code: 200 });
  await expect.poll(() => rows('select from net.http_request_queue')).toEqual([]);
  expect(endpoint.pathsWith('/r')).toEqual(['/r']);
  await database.run('drop trigger reject on net._http_response; drop function public.reject()');
});

it('responses are deleted after some hours', async () => {
  await get('/any');
  await expect.poll(() => rows('select from net._http_response where id = -1')).toEqual([]);
});

it('is healthy, reports that it runs, and counts its requests', async () => {
  await jobs.health.jobs?.();
  expect(
    await rows('select net.check_worker_is_up(), net.wait_until_running(), net.worker_restart()'),
  ).toEqual([{ check_worker_is_up: '', wait_until_running: '', worker_restart: true }]);
  const text = (await jobs.metrics?.metrics()) ?? '';
  expect(text).toMatch(/greenroom_net_requests_total\{outcome="response"\} \d{4}/);
  expect(text).toMatch(/greenroom_net_requests_total\{outcome="refused"\} [1-9]/);
  expect(text).toContain('greenroom_net_active 1');
  expect(text).toContain('greenroom_net_requests_in_progress 0');
});

describe('after a failure', () => {
  it('a request without a response is sent again', async () => {
    let attempts = 0;
    endpoint.respond = (_request, response) => {
      attempts += 1;
      // The first attempt never ends.
      if (attempts > 1) response.end('again');
    };
    const [request] = await rows<{ id: string }>(
      `select net.http_get('${endpoint.url}/again', timeout_milliseconds := 60000) as id`,
    );
    await expect.poll(() => endpoint.received).toHaveLength(1);
    await rows(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'greenroom jobs'
      and datname = current_database()`);
    expect(await responseTo(request?.id ?? '')).toMatchObject({ status_code: 200, content: 'again' });
    expect(attempts).toBe(2);
  });

  it('a second node sends what the first one leaves, and nothing twice', async () => {
    const second = await openJobs();
    try {
      await rows(`select net.http_get('${endpoint.url}/two/' || n) from generate_series(1, 200) as n`);
      await expect.poll(() => rows('select from net.http_request_queue')).toEqual([]);
      await jobs.close();
      await rows(`select net.http_get('${endpoint.url}/two/' || n) from generate_series(201, 300) as n`);
      await expect.poll(() => rows('select from net.http_request_queue')).toEqual([]);
      expect(endpoint.received).toHaveLength(300);
      expect(new Set(endpoint.pathsWith('/two/')).size).toBe(300);
    } finally {
      await second.close();
    }
  });

  it('an instance that does not listen yet gets its requests when it does', async () => {
    const port = await freePort();
    jobs = await openJobs(`http://127.0.0.1:${port}`);
    const [request] = await rows<{ id: string }>(
      `select net.http_post('http://kong:8000/functions/v1/early') as id`,
    );
    await get('/other');
    expect(await rows('select from net.http_request_queue')).toHaveLength(1);
    const late = await startHttpEndpoint(port);
    try {
      expect(await responseTo(request?.id ?? '')).toMatchObject({ status_code: 200 });
      expect(late.pathsWith('/')).toEqual(['/functions/v1/early']);
    } finally {
      await late.close();
    }
  });
});

it('an external database without the extension has the same functions, and their requests are sent', async () => {
  const external = await createEmptyDatabase();
  const owner = `owner_of_${external.name}`;
  const url = new URL(external.url);
  url.username = owner;
  // A server that does not know the extension.
  await external.run(`
    create role ${owner} login createrole password 'test';
    grant anon, authenticated, service_role, authenticator, supabase_auth_admin, supabase_storage_admin, supabase_realtime_admin, dashboard_user, supabase_admin, greenroom_net, supabase_functions_admin to ${owner} with admin option;
    alter database ${external.name} owner to ${owner};
    alter database ${external.name} set extension_control_path = '$system'`);
  const sources = [platformMigrations, jobsService.migrations].filter((source) => source !== undefined);
  await migrate(url.href, sources);
  const netUrl = new URL(database.netUrl);
  netUrl.pathname = url.pathname;
  const node = await openJobs(api.url, netUrl.href);
  const session = await openSession({ url: url.href, applicationName: 'test' });
  try {
    await session.batch([
      { text: 'create table public.notes (id int)' },
      {
        text: `create trigger hook after insert on public.notes for each row
          execute function supabase_functions.http_request('${endpoint.url}/external', 'POST')`,
      },
      { text: 'insert into public.notes values (1)' },
    ]);
    await expect.poll(() => endpoint.pathsWith('/external')).toHaveLength(1);
    await expect
      .poll(() => external.admin.query({ text: 'select status_code from net._http_response' }))
      .toEqual([{ status_code: 200 }]);
  } finally {
    await session.close();
    await node.close();
    await external.drop();
  }
});
