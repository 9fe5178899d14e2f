/** Attempts of database webhooks against real endpoints: retries, signatures, failed webhooks. */
import type { ServerResponse } from 'node:http';
import type { OpenService } from '@greenroom/service';
import { createTestDatabase, openClient, type TestDatabase } from '@greenroom/testing';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type HttpEndpoint, startHttpEndpoint } from './testing/http-endpoint.ts';
import { openTestJobs } from './testing/open-jobs.ts';

const SECRETS = ['current', 'former'].map(
  (name) => `whsec_${Buffer.from(name.padEnd(32)).toString('base64')}`,
);
const MAX_CONCURRENT = 4;
/** Attempts follow each other at once, or never within a test. */
const PAUSES_MS = [20, 20, 3_600_000];

let database: TestDatabase;
let endpoint: HttpEndpoint;
let jobs: OpenService;
/** Lines of the log. */
let logged: Record<string, unknown>[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  endpoint = await startHttpEndpoint();
  jobs = await openJobs();
});
afterAll(async () => {
  await jobs.close();
  await endpoint.close();
  await database.drop();
});
beforeEach(async () => {
  // One lock at a time: the service uses the tables in another order.
  for (const table of ['greenroom.webhooks', 'net.http_request_queue', 'net._http_response'])
    await database.run(`truncate ${table}`);
  endpoint.received = [];
  endpoint.respond = (_request, response) => void response.end('ok');
  logged = [];
});

function openJobs(): Promise<OpenService> {
  return openTestJobs({
    localUrl: 'http://127.0.0.1:1',
    queueUrl: database.netUrl,
    allowed: [`127.0.0.1:${endpoint.port}`, `localhost:${endpoint.port}`],
    net: { maxConcurrentRequests: MAX_CONCURRENT, maxResponseBytes: 1000 },
    webhooks: { pausesMs: PAUSES_MS, secrets: SECRETS },
    log: { warn: (details: object) => void logged.push({ ...details }) } as never,
  });
}

const rows = <Row = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  database.admin.query<Row>({ text, values });

/** Inserts a row into a new table whose trigger calls a path of the endpoint. */
async function insertWith(path: string, options = `'{"Content-Type": "application/json"}', '{}', '2000'`) {
  await database.run(`
    drop table if exists public.notes;
    create table public.notes (id int);
    create trigger hook after insert on public.notes for each row
      execute function supabase_functions.http_request('${endpoint.url}${path}', 'POST', ${options});
    insert into public.notes values (1)`);
}

const deliveries = () => rows('select * from greenroom.webhook_deliveries order by created_at');
/** Makes the next attempts due. */
async function due() {
  await rows(`update greenroom.webhooks set next_attempt_at = now() where state = 'waiting'`);
  await rows('select net.wake()');
}

describe('a webhook', () => {
  it('is sent until it succeeds, with one id and a row of net._http_response for each attempt', async () => {
    const statuses = [500, 408, 200];
    endpoint.respond = (_request, response) => void response.writeHead(statuses.shift() ?? 200).end();
    await insertWith('/until');
    await expect.poll(deliveries).toEqual([]);
    expect(endpoint.pathsWith('/until')).toHaveLength(3);
    expect(new Set(endpoint.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(endpoint.received.map(({ body }) => body)).size).toBe(1);
    const stored = () => rows('select status_code as status from net._http_response order by id');
    await expect.poll(stored).toEqual([{ status: 500 }, { status: 408 }, { status: 200 }]);
    expect(logged).toEqual([]);
  });

  it('keeps its next attempt over the end of the service', async () => {
    endpoint.respond = (_request, response) => void response.writeHead(503).end();
    await insertWith('/restart');
    await expect
      .poll(deliveries)
      .toMatchObject([{ state: 'waiting', attempts: 3, last_status: 503, hook_name: 'hook' }]);
    await rows(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'greenroom jobs'
      and datname = current_database()`);
    await jobs.close();
    endpoint.respond = (_request, response) => void response.end();
    jobs = await openJobs();
    await due();
    await expect.poll(deliveries).toEqual([]);
    expect(endpoint.pathsWith('/restart')).toHaveLength(4);
  });

  it('locks no row while an attempt is in progress', async () => {
    let finish = () => {};
    endpoint.respond = (_request, response) => {
      finish = () => void response.end();
    };
    await insertWith('/locks');
    await expect.poll(() => endpoint.received).toHaveLength(1);
    expect(await rows('select id from greenroom.webhooks for update nowait')).toHaveLength(1);
    expect(await rows('select id from net.http_request_queue for update nowait')).toHaveLength(1);
    finish();
    await expect.poll(deliveries).toEqual([]);
  });

  it('waits as long as Retry-After says', async () => {
    endpoint.respond = (_request, response) => void response.writeHead(429, { 'Retry-After': '600' }).end();
    await insertWith('/later');
    await expect.poll(deliveries).toMatchObject([{ state: 'waiting', attempts: 1 }]);
    const [row] = await rows<{ seconds: number }>(
      'select extract(epoch from next_attempt_at - now())::float8 as seconds from greenroom.webhooks',
    );
    expect(row?.seconds).toBeGreaterThan(500);
  });

  it('of a rolled back transaction leaves no delivery', async () => {
    await insertWith('/first');
    await expect.poll(deliveries).toEqual([]);
    await database.admin.transaction(async (tx) => {
      await tx.query({ text: 'insert into public.notes values (2)' });
      await tx.rollback();
    });
    expect(await deliveries()).toEqual([]);
  });

  it('does not outlive a request that the project deletes', async () => {
    endpoint.respond = async (_request, response) => {
      await rows('delete from net.http_request_queue');
      response.writeHead(500).end();
    };
    await insertWith('/deleted');
    await expect.poll(() => endpoint.received).toHaveLength(1);
    await expect.poll(() => rows('select from net.http_request_queue')).toEqual([]);
    await jobs.close();
    jobs = await openJobs();
    await expect.poll(deliveries).toEqual([]);
  });

  it('sent by net.http_post is not repeated, and not signed', async () => {
    endpoint.respond = (_request, response) => void response.writeHead(500).end();
    const [request] = await rows<{ id: string }>(`select net.http_post('${endpoint.url}/plain') as id`);
    const responses = () => rows('select from net._http_response where id = $1', [request?.id]);
    await expect.poll(responses).toHaveLength(1);
    expect(endpoint.received).toHaveLength(1);
    expect(endpoint.received[0]?.headers).not.toHaveProperty('webhook-signature');
    expect(await deliveries()).toEqual([]);
  });
});

describe('a signature', () => {
  it.each(SECRETS)('verifies with the library of Standard Webhooks and the secret %s', async (secret) => {
    await insertWith('/signed');
    await expect.poll(() => endpoint.received).toHaveLength(1);
    const [{ headers, body } = { headers: {}, body: '' }] = endpoint.received;
    const webhook = new Webhook(secret);
    expect(webhook.verify(body, headers as Record<string, string>)).toMatchObject({ type: 'INSERT' });
    const tampered = body.replace('INSERT', 'DELETE');
    expect(() => webhook.verify(tampered, headers as Record<string, string>)).toThrow();
  });

  it('is left out if the trigger has one of its headers', async () => {
    await insertWith('/own', `'{"Webhook-Id": "mine"}'`);
    await expect.poll(() => endpoint.received).toHaveLength(1);
    const headers = endpoint.received[0]?.headers;
    expect(headers?.['webhook-id']).toBe('mine');
    expect(headers).not.toHaveProperty('webhook-signature');
  });
});

describe('a hostile endpoint', () => {
  /** Behaviour of the endpoint → state and error of the webhook. */
  const CASES: Record<string, [HttpEndpoint['respond'], string, RegExp]> = {
    'a response without an end': [
      (_request, response) => {
        const timer = setInterval(() => response.write('x'), 5);
        response.on('close', () => clearInterval(timer));
      },
      'waiting',
      /^Timeout of 100 ms reached/,
    ],
    'headers one byte at a time': [
      (_request, { socket }) => {
        socket?.write('HTTP/1.1 200 OK\r\nx: ');
        const timer = setInterval(() => socket?.write('x'), 5);
        socket?.on('close', () => clearInterval(timer));
      },
      'waiting',
      /^Timeout of 100 ms reached/,
    ],
    'a header of 100 KB': [
      (_request, { socket }) => void socket?.end(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`),
      'waiting',
      /^Weird server reply$/,
    ],
    'a redirect to the loopback': [
      (_request, response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
      'failed',
      /127\.0\.0\.1 is not public/,
    ],
    'a redirect to the metadata of a cloud': [
      (_request, response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
      'failed',
      /169\.254\.169\.254 is not public/,
    ],
  };

  it.each(Object.keys(CASES))('with %s does not hold up the queue', async (name) => {
    const [respond, state, reason] = CASES[name] ?? [];
    endpoint.respond = respond ?? endpoint.respond;
    await insertWith('/hostile', `'{}', '{}', '100'`);
    await expect
      .poll(deliveries)
      .toMatchObject([
        { state, last_error: expect.stringMatching(reason ?? ''), attempts: state === 'failed' ? 1 : 3 },
      ]);
  });

  it('does not delay other hosts', async () => {
    const hanging: ServerResponse[] = [];
    endpoint.respond = (request, response) => {
      if (request.path === '/hang') hanging.push(response);
      else response.end();
    };
    await rows(
      `select net.http_get('${endpoint.url}/hang', timeout_milliseconds := 60000) from generate_series(1, 20)`,
    );
    await expect.poll(() => endpoint.pathsWith('/hang')).toHaveLength(MAX_CONCURRENT / 2);
    await rows(
      `select net.http_get('http://localhost:${endpoint.port}/other/' || n) from generate_series(1, 20) as n`,
    );
    await expect.poll(() => new Set(endpoint.pathsWith('/other/')).size).toBe(20);
    expect(endpoint.pathsWith('/hang')).toHaveLength(MAX_CONCURRENT / 2);
    endpoint.respond = (_request, response) => void response.end();
    for (const response of hanging) response.end();
    await expect.poll(() => rows('select from net.http_request_queue')).toEqual([]);
  });
});

describe('a failed webhook', () => {
  beforeEach(async () => {
    endpoint.respond = (_request, response) => void response.writeHead(410).end();
    await insertWith('/failed');
    await expect.poll(deliveries).toMatchObject([{ state: 'failed' }]);
  });

  it('is listed with its payload, and leaves a line in the log and a count', async () => {
    const [failed] = await deliveries();
    expect(failed).toMatchObject({
      url: `${endpoint.url}/failed`,
      method: 'POST',
      hook_name: 'hook',
      table_name: 'public.notes',
      attempts: 1,
      last_status: 410,
      last_error: 'The endpoint responded with 410',
      failed_at: expect.any(Date),
    });
    expect(JSON.parse(String(failed?.payload))).toMatchObject({ record: { id: 1 } });
    expect(logged).toMatchObject([{ webhook: failed?.id, attempts: 1, host: `127.0.0.1:${endpoint.port}` }]);
    const text = (await jobs.metrics?.metrics()) ?? '';
    expect(text).toContain('greenroom_webhooks_failed 1');
    expect(text).toContain('greenroom_webhooks_pending 0');
  });

  it('is sent again with the same id', async () => {
    const [failed] = await deliveries();
    endpoint.respond = (_request, response) => void response.end();
    expect(await rows('select greenroom.replay_webhook($1) as ok', [failed?.id])).toEqual([{ ok: true }]);
    await expect.poll(deliveries).toEqual([]);
    expect(endpoint.received.map(({ headers }) => headers['webhook-id'])).toEqual([failed?.id, failed?.id]);
    expect(await rows('select greenroom.replay_webhook($1) as ok', [failed?.id])).toEqual([{ ok: false }]);
  });

  it('is sent again with all others', async () => {
    endpoint.respond = (_request, response) => void response.end();
    expect(await rows('select greenroom.replay_webhooks() as count')).toEqual([{ count: '1' }]);
    await expect.poll(deliveries).toEqual([]);
  });

  it.each(['anon', 'authenticated'])('is hidden from %s', async (role) => {
    const client = await openClient(database.ownerUrl);
    try {
      await client.query(`set role ${role}`);
      for (const text of ['select from greenroom.webhook_deliveries', 'select greenroom.replay_webhooks()'])
        await expect(client.query(text)).rejects.toMatchObject({ code: '42501' });
    } finally {
      await client.end();
    }
  });

  it.each(['postgres', 'service_role'])('is readable and removable by %s', async (role) => {
    const client = await openClient(database.ownerUrl);
    try {
      await client.query(`set role ${role}`);
      const removed = await client.query('delete from greenroom.webhook_deliveries returning id');
      expect(removed.rowCount).toBe(1);
      if (role === 'service_role')
        await expect(client.query('select from greenroom.webhooks')).rejects.toMatchObject({ code: '42501' });
    } finally {
      await client.end();
    }
  });
});

it('failed webhooks are removed after their time', async () => {
  await rows(`insert into greenroom.webhooks (state, request_ids, hook_name, table_name, url, failed_at) values
    ('failed', '{}', 'old', 't', 'http://a.test/', now() - interval '2 h'),
    ('failed', '{}', 'new', 't', 'http://a.test/', now())`);
  await jobs.close();
  jobs = await openJobs();
  await expect.poll(deliveries).toMatchObject([{ hook_name: 'new' }]);
});

it('a response to a request of a dropped extension has no effect on a new request with the same id', async () => {
  const recreate = () =>
    database.run('drop extension pg_net; create extension pg_net with schema extensions');
  const finish: Record<string, () => void> = {};
  endpoint.respond = ({ path }, response) => {
    finish[path] = () => void response.writeHead(path === '/former' ? 500 : 200).end();
  };
  const requests = () => rows('select id, url from net.http_request_queue');
  await recreate();
  await insertWith('/former', `'{}', '{}', '60000'`);
  expect(await requests()).toEqual([{ id: '1', url: `${endpoint.url}/former` }]);
  await expect.poll(() => endpoint.pathsWith('/')).toEqual(['/former']);
  await recreate();
  expect(await deliveries()).toEqual([]);
  await rows(`select net.http_get('${endpoint.url}/new', timeout_milliseconds := 60000)`);
  await expect.poll(() => endpoint.pathsWith('/')).toEqual(['/former', '/new']);
  expect(endpoint.received[1]?.headers).not.toHaveProperty('webhook-signature');
  finish['/former']?.();
  const metrics = async () => (await jobs.metrics?.metrics()) ?? '';
  await expect.poll(metrics).toContain('greenroom_net_requests_in_progress 1\n');
  expect(await requests()).toEqual([{ id: '1', url: `${endpoint.url}/new` }]);
  expect(await rows('select from net._http_response')).toEqual([]);
  finish['/new']?.();
  const statuses = () => rows('select status_code from net._http_response');
  await expect.poll(statuses).toEqual([{ status_code: 200 }]);
  expect(await deliveries()).toEqual([]);
});

it('after its extension was dropped, the service logs nothing, and sends requests when it is created again', async () => {
  let finish = () => {};
  endpoint.respond = (_request, response) => {
    finish = () => void response.end();
  };
  await rows(`select net.http_get('${endpoint.url}/dropped')`);
  await expect.poll(() => endpoint.received).toHaveLength(1);
  await database.run('drop extension pg_net');
  finish();
  const metrics = async () => (await jobs.metrics?.metrics()) ?? '';
  await expect.poll(metrics).toContain('greenroom_net_requests_in_progress 0');
  await database.run('create extension pg_net with schema extensions');
  endpoint.respond = (_request, response) => void response.end();
  await rows(`select net.http_get('${endpoint.url}/again')`);
  const statuses = () => rows('select status_code from net._http_response');
  await expect.poll(statuses).toEqual([{ status_code: 200 }]);
  expect(endpoint.pathsWith('/')).toEqual(['/dropped', '/again']);
  expect(logged).toEqual([]);
});
