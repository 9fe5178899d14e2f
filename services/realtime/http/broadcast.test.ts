import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RealtimeServer } from '../testing/realtime-server.ts';

let server: RealtimeServer;

beforeAll(async () => {
  server = await RealtimeServer.open({
    settings: {
      GREENROOM_REALTIME_MAX_PAYLOAD_SIZE_IN_KB: '1',
      GREENROOM_REALTIME_MAX_EVENTS_PER_SECOND: '1000',
    },
    sql: `
      create policy read on realtime.messages for select to authenticated, anon using (true);
      create policy write on realtime.messages for insert to authenticated with check (realtime.topic() = 'mine')`,
  });
});
afterEach(() => server.closeClients());
afterAll(() => server.close());

async function post(
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
  target = server,
) {
  const response = await fetch(target.url + path, {
    method: 'POST',
    body,
    headers: { apikey: target.apiKeys.anon, connection: 'close', ...headers },
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text === '' ? undefined : JSON.parse(text),
  };
}

const JSON_BODY = { 'content-type': 'application/json' };
const batch = (...messages: unknown[]) => post('/api/broadcast', JSON.stringify({ messages }), JSON_BODY);
const message = { topic: 'room', event: 'e', payload: { a: 1 } };

async function listener(topic: string, isPrivate = false, vsn = '2.0.0') {
  const client = await server.connect(vsn);
  expect(await client.join(topic, { private: isPrivate })).toMatchObject({ status: 'ok' });
  return client;
}

it('responds to pings', async () => {
  const response = await fetch(`${server.url}/api/ping`, { headers: { apikey: server.apiKeys.anon } });
  expect([response.status, await response.json()]).toEqual([200, { message: 'Success' }]);
});

describe('a batch', () => {
  it('is sent as text, with an empty response', async () => {
    const [old, young] = [await listener('realtime:room', false, '1.0.0'), await listener('realtime:room')];
    const { status, text, headers } = await batch(message, { ...message, event: 'f', private: false });
    expect([status, text, headers.get('access-control-allow-origin')]).toEqual([202, '', '*']);
    for (const client of [old, young]) {
      expect(await client.next('broadcast')).toMatchObject({
        topic: 'realtime:room',
        payload: { type: 'broadcast', event: 'e', payload: { a: 1 } },
      });
      expect((await client.next('broadcast')).payload.event).toBe('f');
    }
  });

  it('reports the rate of messages in headers', async () => {
    const { headers } = await batch(message);
    const [rolling, limit, remaining] = ['rolling', 'limit', 'limit-remaining'.slice(6)].map((name) =>
      headers.get(
        name === 'rolling' ? 'x-rate-rolling' : name === 'limit' ? 'x-rate-limit' : 'x-rate-limit-remaining',
      ),
    );
    expect([Number(rolling) >= 0, limit, Number(remaining) < 1001]).toEqual([true, '1000', true]);
  });

  it.each<[string, number, unknown]>([
    [
      '{"messages":[{"topic":"a","event":"b"},{"topic":"a","event":"b","payload":{}}]}',
      422,
      { errors: { messages: [{ payload: ["can't be blank"] }, {}] } },
    ],
    ['{}', 422, { errors: { messages: ["can't be blank"] } }],
    [
      JSON.stringify({ messages: [{ ...message, payload: { a: 'x'.repeat(1600) } }] }),
      422,
      { errors: { messages: [{ payload: ['Payload size exceeds tenant limit'] }] } },
    ],
    ['nonsense', 400, { error: 'The body is not valid JSON' }],
    ['', 400, { error: 'The body is not valid JSON' }],
    [
      JSON.stringify({ messages: Array(1001).fill(message) }),
      429,
      { message: 'Too many messages to broadcast, please reduce the batch size' },
    ],
  ])('of $0 is rejected', async (body, status, json) => {
    expect(await post('/api/broadcast', body, JSON_BODY)).toMatchObject({ status, json });
  });

  it('silently drops private messages that the sender may not send', async () => {
    const key = server.apiKeys.serviceRole;
    const client = await server.connect('2.0.0', key);
    for (const topic of ['realtime:mine', 'realtime:theirs']) await client.join(topic, { private: true });
    const messages = ['theirs', 'mine'].map((topic) => ({ ...message, topic, private: true }));
    const bearer = { authorization: `Bearer ${await server.token()}` };
    const response = await post('/api/broadcast', JSON.stringify({ messages }), { ...JSON_BODY, ...bearer });
    expect(response.status).toBe(202);
    expect((await client.next('broadcast')).topic).toBe('realtime:mine');
    expect((await batch(...messages)).status).toBe(202);
    await client.settled();
    expect(client.frames).toEqual([]);
  });

  it('requires a valid token', async () => {
    const body = JSON.stringify({ messages: [message] });
    const old = await server.token({ exp: 1000 });
    for (const bearer of [old, 'a.b.c']) {
      const response = await post('/api/broadcast', body, {
        ...JSON_BODY,
        authorization: `Bearer ${bearer}`,
      });
      expect([response.status, response.json]).toEqual([401, { message: 'Unauthorized' }]);
    }
    expect((await post('/api/broadcast', body, { ...JSON_BODY, apikey: 'wrong' })).status).toBe(401);
  });
});

const UNSUPPORTED_TYPE = {
  error: 'Unsupported Media Type. Use application/json or application/octet-stream',
};

describe('a single message', () => {
  const path = (topic: string, event: string, query = '') =>
    `/api/broadcast/${encodeURIComponent(topic)}/events/${encodeURIComponent(event)}${query}`;

  it.each<[string, Record<string, string>, string, unknown]>([
    ['an object', JSON_BODY, '{"n":9007199254740993,"ü":1}', undefined],
    ['another JSON value', JSON_BODY, '[1]', '{"_json":[1]}'],
  ])('with JSON is sent unchanged: %s', async (_, headers, body, expected) => {
    const [old, young] = [await listener('realtime:a/ü?', false, '1.0.0'), await listener('realtime:a/ü?')];
    const { status, text } = await post(path('a/ü?', 'e/%'), body, headers);
    expect([status, text]).toEqual([202, '']);
    const frame = await young.next('broadcast');
    expect([frame.payload.event, frame.bytes?.toString()]).toEqual(['e/%', expected ?? body]);
    expect((await old.next('broadcast')).payload.payload).toEqual(frame.payload.payload);
  });

  it('without a content type is read as JSON', async () => {
    const client = await listener('realtime:room');
    expect((await post(path('room', 'e'), new TextEncoder().encode('{"a":1}'))).status).toBe(202);
    expect((await client.next('broadcast')).payload.payload).toEqual({ a: 1 });
  });

  it('with a binary body is sent as bytes, also if it is empty', async () => {
    const client = await listener('realtime:room');
    const headers = { 'content-type': 'application/octet-stream' };
    for (const bytes of [new Uint8Array([0, 255]), new Uint8Array()]) {
      expect((await post(path('room', 'e'), bytes, headers)).status).toBe(202);
      expect((await client.next('broadcast')).bytes).toEqual(Buffer.from(bytes));
    }
  });

  it.each<[string, string, Record<string, string>, number, unknown]>([
    [path('room', 'e'), 'x', { 'content-type': 'text/plain' }, 415, UNSUPPORTED_TYPE],
    [path('room', 'e'), 'x', JSON_BODY, 400, { error: 'The body is not valid JSON' }],
    [
      path('room', 'e'),
      `{"a":"${'x'.repeat(1600)}"}`,
      JSON_BODY,
      413,
      { message: 'Payload size exceeds tenant limit' },
    ],
    [
      path('x'.repeat(247), 'e'),
      '{}',
      JSON_BODY,
      422,
      { error: 'Topic and event must have 1 to 255 bytes each, including the prefix of the topic' },
    ],
    [path('room', 'e', '?private=true'), '{}', JSON_BODY, 403, { message: 'Unauthorized' }],
    [
      path('room', 'e'),
      '{}',
      { ...JSON_BODY, authorization: 'Bearer a.b.c' },
      401,
      { message: 'Unauthorized' },
    ],
  ])('to $0 with the body $1 is rejected with status $3', async (url, body, headers, status, json) => {
    expect(await post(url, body, headers)).toMatchObject({ status, json });
  });

  it('reaches a private topic only with permission', async () => {
    const client = await listener('realtime:mine', true);
    const bearer = { ...JSON_BODY, authorization: `Bearer ${await server.token()}` };
    expect((await post(path('mine', 'public'), '{}', bearer)).status).toBe(202);
    expect((await post(path('mine', 'private', '?private=true'), '{}', bearer)).status).toBe(202);
    expect((await client.next('broadcast')).payload.event).toBe('private');
    expect(client.frames).toEqual([]);
  });
});

it('rejects batches and single messages above the rate limit', async () => {
  await using closing = new AsyncDisposableStack();
  const other = await RealtimeServer.open({
    database: server.database,
    settings: { GREENROOM_REALTIME_MAX_EVENTS_PER_SECOND: '1' },
  });
  closing.defer(() => other.close());
  const one = JSON.stringify({ messages: [message] });
  for (let round = 0; round < 60; round += 1) other.instance.context.rates.events.add();
  expect(await post('/api/broadcast', one, JSON_BODY, other)).toMatchObject({
    status: 429,
    json: { message: 'You have exceeded your rate limit' },
  });
  expect(await post('/api/broadcast/a/events/b', '{}', JSON_BODY, other)).toMatchObject({
    status: 429,
    json: { message: 'Too many requests' },
  });
});
