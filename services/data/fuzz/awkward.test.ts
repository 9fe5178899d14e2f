/** Requests that HTTP allows, and that hardly any client sends. */
import { createLogger } from '@greenroom/log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataServer } from '../testing/data-server.ts';
import { RawHttp, type RawRequest } from './testing/raw-http.ts';
import { codeOf } from './testing/verdict.ts';

const PREFIX = '/rest/v1';
const DEEP = 600;

let server: DataServer;
let http: RawHttp;
const logged: string[] = [];
beforeAll(async () => {
  const log = createLogger('error', { write: (line) => logged.push(line) });
  server = await DataServer.open(
    `create table films (id int primary key, title text);
     create view slow as select pg_sleep(100)::text as slept;
     create table words (word text primary key);
     insert into films values (1, 'Cléo')`,
    {},
    { log },
  );
  http = new RawHttp(Number(new URL(server.url).port));
});
afterAll(async () => {
  http.close();
  await server.close();
});

const send = (request: Partial<RawRequest>) =>
  http.send({
    method: 'GET',
    target: `${PREFIX}/films`,
    headers: [],
    body: undefined,
    framing: 'length',
    ...request,
  });
const get = (target: string): Partial<RawRequest> => ({ target: PREFIX + target });
const post = (body: string | Buffer, framing: RawRequest['framing'] = 'length'): Partial<RawRequest> => ({
  method: 'POST',
  body: Buffer.from(body),
  framing,
});
const header = (...headers: RawRequest['headers']): Partial<RawRequest> => ({ headers });
const row = (id: number) => JSON.stringify({ id });

describe('an unusual request', () => {
  it.each<[name: string, request: Partial<RawRequest>, status: number, code: string]>([
    ['a NUL escape in a JSON string', post('{"id":9,"title":"a\\u0000"}'), 400, '22P05'],
    ['a NUL escape in a JSON key', post('{"i\\u0000":9}'), 400, 'PGRST204'],
    ['a NUL byte in JSON', post('{"id":9,"title":"\0"}'), 400, 'PGRST102'],
    ['half a surrogate pair in JSON', post('{"id":9,"title":"\\ud800"}'), 400, '22P02'],
    ['JSON that is not UTF-8', post(Buffer.from([0x22, 0xff, 0x22])), 400, 'PGRST102'],
    ['deeply nested JSON', post('['.repeat(DEEP) + ']'.repeat(DEEP)), 400, 'PGRST102'],
    ['a number with a huge exponent', post(`{"id":1e${'9'.repeat(400)}}`), 400, '22P02'],
    ['an empty body', post(''), 400, 'PGRST102'],
    ['a chunked body', post(row(101), 'chunked'), 201, ''],
    ['Expect: 100-continue', post(row(102), 'expect'), 201, ''],
    ['a body of GET', { body: Buffer.from('x') }, 200, ''],
    ['a body of DELETE', { ...get('/films?id=eq.0'), method: 'DELETE', body: Buffer.from('x') }, 204, ''],
    ['a path that is not UTF-8', get('/%ff'), 400, 'bad_url'],
    ['NUL in the path', get('/films%00'), 404, 'PGRST205'],
    ['a query that is not UTF-8', get('/films?title=eq.%ff'), 400, 'PGRST100'],
    ['NUL in the query', get('/films?title=eq.%00'), 400, 'PGRST100'],
    ['a percent sign without digits', get('/films?title=eq.%zz'), 200, ''],
    ['a percent sign at the end', get('/films?title=like.100%'), 200, ''],
    ['percent signs and bytes that are not UTF-8', get('/films?title=like.%%ff%'), 400, 'PGRST100'],
    ['a limit of many digits', get(`/films?limit=${'9'.repeat(400)}&offset=0`), 200, ''],
    ['an offset of many digits', get(`/films?offset=${'9'.repeat(400)}`), 200, ''],
    ['a range of many digits', header(['range', `0-${'9'.repeat(400)}`]), 200, ''],
    ['a list that is too long', get(`/films?id=in.(${'1,'.repeat(20_001)}1)`), 400, 'PGRST100'],
    ['non-ASCII bytes in a header', header(['x-any', '\u00ff\u00fe']), 200, ''],
    ['non-ASCII bytes in Accept', header(['accept', '\u00ff']), 406, 'PGRST107'],
    ['non-ASCII bytes in Accept-Profile', header(['accept-profile', '\u00ff']), 406, 'PGRST106'],
    ['non-ASCII bytes in a time zone', header(['prefer', 'timezone=\u00ff']), 400, '22023'],
    ['an empty time zone', header(['prefer', 'timezone=']), 400, '22023'],
    ['a long Prefer', header(['prefer', 'x'.repeat(8000)]), 200, ''],
    ['a Prefer that is too long', header(['prefer', 'x'.repeat(100_000)]), 431, 'headers_too_large'],
    [
      'malformed parameters of Accept',
      header(['accept', 'application/json;q="1";;a="\\";=,text/csv;q=']),
      200,
      '',
    ],
    ['an unknown method', { method: 'QUERY' }, 405, 'PGRST117'],
    ['an absolute target', { target: `http://localhost${PREFIX}/films?id=eq.1` }, 200, ''],
    ['an encoded prefix', { target: '/%72est/v1/films?id=eq.1' }, 200, ''],
  ])('with %s returns $2 $3', async (_name, request, status, code) => {
    const response = await send(request);
    expect([response.status, response.status < 300 ? '' : codeOf(response)]).toEqual([status, code]);
  });

  it('applies all headers of the same name', async () => {
    const response = await send(
      header(['prefer', 'x'], ['prefer', 'count=exact'], ['prefer', 'count=planned']),
    );
    expect(response.headers.get('preference-applied')).toBe('count=exact');
  });

  it('gets a response without headers that are too long for clients', async () => {
    const long = 'x'.repeat(5000);
    const read = await server.request(`/films?title=eq.${long}`);
    expect([read.status, read.header('content-location')]).toEqual([200, null]);
    const headers = { prefer: 'return=headers-only', 'content-type': 'application/json' };
    const word = Array.from({ length: 250 }, () => '€').join('');
    const response = await server.request('/words', { method: 'POST', headers, body: { word } });
    expect(response.text).toBe('');
    expect(response.header('location')).toContain('/words?word=eq.%E2%82%AC');
    const written = await server.request('/words', {
      method: 'POST',
      headers,
      body: { word: word.repeat(3) },
    });
    expect([written.status, written.header('location')]).toEqual([201, null]);
  });

  it('that is aborted by the client is not logged', async () => {
    const head = `POST ${PREFIX}/films HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{`;
    for (let i = 0; i < 20; i += 1) await http.sendBytes(Buffer.from(head));
    expect((await send({})).status).toBe(200);
    expect(logged).toEqual([]);
  });

  it('whose client has disconnected is not logged', async () => {
    const running = () =>
      server.database.admin.query({
        text: "select from pg_stat_activity where application_name = 'greenroom data' and state <> 'idle'",
      });
    const slow: RawRequest = {
      method: 'GET',
      target: `${PREFIX}/slow`,
      headers: [],
      body: undefined,
      framing: 'length',
    };
    await http.abandon(slow, () => expect.poll(running).toHaveLength(1));
    await expect.poll(running).toEqual([]);
    expect((await send({})).status).toBe(200);
    expect(logged).toEqual([]);
  });
});
