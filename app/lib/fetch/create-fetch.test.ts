import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { createFetch, type Fetch } from './create-fetch.ts';
import { FetchError } from './fetch-error.ts';

let server: Server | undefined;
let requests: {
  method: string | undefined;
  url: string | undefined;
  body: string;
  headers: IncomingMessage['headers'];
}[];

/** Starts a real server with this handler; returns a fetch for it. */
async function serve(listener: RequestListener): Promise<Fetch> {
  requests = [];
  server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    requests.push({ method, url, headers, body: await text(request) });
    listener(request, response);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return createFetch({ baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/base/` });
}

const withStatus =
  (...statuses: number[]): RequestListener =>
  (_request, response) => {
    const status = statuses[requests.length - 1] ?? statuses.at(-1) ?? 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(status === 204 ? '' : JSON.stringify({ status }));
  };

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
});

describe('the number of requests', () => {
  const retryable = [408, 409, 425, 429, 500, 502, 503, 504];
  const others = [400, 401, 403, 404, 405, 410, 422, 501, 505, 599];
  it.each([
    ...['GET', 'HEAD', 'OPTIONS'].flatMap((method) => [
      ...retryable.map((status) => [method, status, 2] as const),
      ...others.map((status) => [method, status, 1] as const),
    ]),
    ...['POST', 'PUT', 'PATCH', 'DELETE'].flatMap((method) =>
      [...retryable, ...others].map((status) => [method, status, 1] as const),
    ),
  ])('sends for %s with status %i: %i requests', async (method, status, times) => {
    const send = await serve(withStatus(status));
    expect(await failureOf(send('/a', { method }))).toMatchObject({ name: 'FetchError', status });
    expect(requests).toHaveLength(times);
  });

  it.each([
    ['retry: false', { retry: false }, 1],
    ['retry: 0', { retry: 0 }, 1],
    ['retry: 3', { retry: 3 }, 4],
    ['a POST with retries', { method: 'POST', retry: 2 }, 3],
    ['ignoreResponseError', { ignoreResponseError: true }, 1],
  ] as const)('sends with %s: $2 requests', async (_name, options, times) => {
    const send = await serve(withStatus(503));
    await failureOf(send('/a', options));
    expect(requests).toHaveLength(times);
  });

  it('returns the response of the retry', async () => {
    const send = await serve(withStatus(503, 200));
    expect(await send('/a')).toEqual({ status: 200 });
  });

  it.each([
    ['GET', 2],
    ['POST', 1],
  ])('sends for %s without a response: %i requests', async (method, times) => {
    const send = await serve((request) => request.socket.destroy());
    const error = await failureOf(send('/a', { method }));
    expect(error).toBeInstanceOf(FetchError);
    expect(error).toMatchObject({ status: undefined, data: undefined });
    expect((error as Error).message).toMatch(new RegExp(`^\\[${method}\\] ".*/base/a": <no response> `));
    expect(requests).toHaveLength(times);
  });

  it('retries a timeout once and then throws', async () => {
    const send = await serve(() => {});
    const error = await failureOf(send('/a', { timeout: 50 }));
    expect(error).toBeInstanceOf(FetchError);
    expect((error as FetchError).cause).toMatchObject({ name: 'TimeoutError' });
    expect(requests).toHaveLength(2);
  });

  it('stops retrying when the caller aborts', async () => {
    const giveUp = new AbortController();
    const send = await serve(() => giveUp.abort(new Error('enough')));
    expect(await failureOf(send('/a', { signal: giveUp.signal }))).toMatchObject({ message: 'enough' });
    expect(requests).toHaveLength(1);
  });

  it('sends no request if the signal is already aborted', async () => {
    const send = await serve(withStatus(200));
    expect(await failureOf(send('/a', { signal: AbortSignal.abort() }))).toMatchObject({
      name: 'AbortError',
    });
    expect(requests).toHaveLength(0);
  });
});

describe('the request', () => {
  it('marks JSON by its headers', async () => {
    const send = await serve(withStatus(200));
    await send('a', { method: 'POST', body: { b: [1] }, query: { c: 'd' } });
    expect(requests).toMatchObject([
      {
        method: 'POST',
        url: '/base/a?c=d',
        body: '{"b":[1]}',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
      },
    ]);
  });

  it('sends text unchanged', async () => {
    const send = await serve(withStatus(200));
    await send('a', { method: 'PUT', body: 'plain' });
    expect(requests).toMatchObject([
      { body: 'plain', headers: { 'content-type': 'text/plain;charset=UTF-8' } },
    ]);
  });
});

describe('the response', () => {
  const answering =
    (type: string | undefined, body: string, status = 200): RequestListener =>
    (_request, response) => {
      response.writeHead(status, type === undefined ? {} : { 'content-type': type });
      response.end(body);
    };

  it.each([
    ['application/json', '{"a":1}', { a: 1 }],
    ['application/problem+json; charset=utf-8', '[1]', [1]],
    ['application/json', '', undefined],
    ['application/json', '{', '{'],
    ['text/html', '<p>', '<p>'],
    [undefined, 'x', 'x'],
  ])('parses %s %j', async (type, body, expected) => {
    const send = await serve(answering(type, body));
    expect(await send('/a')).toEqual(expected);
  });

  it('returns bytes as a Blob', async () => {
    const send = await serve(answering('application/octet-stream', 'abc'));
    expect(await (await send<Blob>('/a')).text()).toBe('abc');
  });

  it('returns undefined without content', async () => {
    const send = await serve(withStatus(204));
    expect(await send('/a')).toBeUndefined();
  });

  it('includes the whole response on demand', async () => {
    const send = await serve(withStatus(201));
    const { response, data } = await send.raw('/a');
    expect([response.status, data]).toEqual([201, { status: 201 }]);
  });

  it('throws an error with the details of the failure', async () => {
    const send = await serve(answering('application/json', '{"code":"gone"}', 404));
    const error = await failureOf(send('/a?b', { headers: { accept: 'application/json' } }));
    expect(error).toBeInstanceOf(FetchError);
    expect(error).toMatchObject({ status: 404, statusText: 'Not Found', data: { code: 'gone' } });
    expect((error as FetchError).request).toMatch(/\/base\/a\?b$/);
    expect((error as Error).message).toMatch(/^\[GET\] "http:\/\/.*\/base\/a\?b": 404 Not Found$/);
  });

  it('returns an error status with ignoreResponseError', async () => {
    const send = await serve(answering('application/json', '{"code":"gone"}', 404));
    expect(await send('/a', { ignoreResponseError: true })).toEqual({ code: 'gone' });
  });
});
