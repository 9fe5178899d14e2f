/** Requests of the official client to functions, and its results. */
import {
  createClient,
  FunctionRegion,
  FunctionsFetchError,
  FunctionsHttpError,
  FunctionsRelayError,
  type SupabaseClient,
} from '@supabase/supabase-js';
import { corsHeaders } from '@supabase/supabase-js/cors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FunctionsServer } from './testing/functions-server.ts';

/** Apart, because imports of tests are checked. */
const STD_SERVE = '"https://deno.land/std/http/server.ts"';
const CORS = '"npm:@supabase/supabase-js@2/cors"';

const FILES = {
  'greeting/index.ts': `import { serve } from ${STD_SERVE};
    serve(async (request) => {
      const { name = 'stranger' } = await request.json();
      return Response.json({ text: 'Good day, ' + name });
    });`,
  'mirror/index.ts': `Deno.serve(async (request) => {
    const type = request.headers.get('content-type') ?? '';
    const form = type.startsWith('multipart/form-data');
    return Response.json({
      method: request.method,
      url: request.url,
      headers: Object.fromEntries(request.headers),
      body: form ? [...await request.formData()] : await request.text(),
    });
  });`,
  'typed/index.ts': `Deno.serve(async (request) => {
    const type = await request.text();
    if (type !== 'multipart/form-data') return new Response('{"a":1}', { headers: { 'content-type': type } });
    const form = new FormData();
    form.set('a', '1');
    return new Response(form);
  });`,
  'relay/index.ts': `Deno.serve(() => new Response('away', { headers: { 'x-relay-error': 'true' } }));`,
  'fails/index.ts': `Deno.serve(() => Response.json({ reason: 'teapot' }, { status: 418 }));`,
  'slow/index.ts': `Deno.serve((request) => new Promise((resolve) => {
    console.log('waits');
    request.signal.addEventListener('abort', () => { console.log('aborted'); resolve(new Response()); });
  }));`,
  'cors/index.ts': `import { corsHeaders as headers } from ${CORS};
    Deno.serve((request) => {
      if (request.method === 'OPTIONS') return new Response('ok', { headers });
      const status = Number(new URL(request.url).searchParams.get('status') ?? 200);
      return Response.json({ method: request.method }, { status, headers });
    });`,
};

/** The request that a function saw. */
interface Seen {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: unknown;
}

let server: FunctionsServer;
let client: SupabaseClient;

beforeAll(async () => {
  server = await FunctionsServer.open({ files: FILES });
  client = createClient(server.origin, server.apiKeys.anon);
}, 30_000);
afterAll(() => server[Symbol.asyncDispose]());

/** Invokes the function that returns its request. */
async function mirror(options: Parameters<typeof client.functions.invoke>[1], path = ''): Promise<Seen> {
  const { data, error } = await client.functions.invoke(`mirror${path}`, options);
  expect(error).toBeNull();
  return data as Seen;
}

describe('the official client sends', () => {
  it.each([
    ['an object', { n: [1, { a: null }] }, 'application/json', '{"n":[1,{"a":null}]}'],
    ['a text', 'words', 'text/plain', 'words'],
    ['bytes', new TextEncoder().encode('raw').buffer, 'application/octet-stream', 'raw'],
    ['a Blob', new Blob(['blob']), 'application/octet-stream', 'blob'],
  ])('%s with its type', async (_title, body, type, text) => {
    const seen = await mirror({ body });
    expect([seen.headers['content-type'], seen.body]).toEqual([type, text]);
  });

  it('a form with its fields', async () => {
    const body = new FormData();
    body.append('a', '1');
    body.append('a', '2');
    const seen = await mirror({ body });
    expect(seen.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(seen.body).toEqual([
      ['a', '1'],
      ['a', '2'],
    ]);
  });

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)(
    '%s if it is given that method',
    async (method) => {
      expect(await mirror({ method })).toMatchObject({ method, url: `${server.origin}/mirror` });
    },
  );

  it('the headers of a call in preference to those of the client', async () => {
    const headers = {
      'content-type': 'application/vnd.own+json',
      'x-own': 'call',
      Authorization: 'Bearer own',
    };
    const seen = await mirror({ headers, body: { a: 1 } });
    expect(seen.headers).toMatchObject({
      'x-own': 'call',
      authorization: 'Bearer own',
      'content-type': 'application/vnd.own+json',
      'x-client-info': expect.stringContaining('supabase-js'),
    });
    expect(seen.body).toBe('{"a":1}');
    client.functions.setAuth('later');
    expect((await mirror({})).headers.authorization).toBe('Bearer later');
    client.functions.setAuth(server.apiKeys.anon);
  });

  it('the region of a call, which the function sees and which changes nothing else', async () => {
    const seen = await mirror({ region: FunctionRegion.EuWest1 }, '?x=1');
    expect(seen.headers['x-region']).toBe('eu-west-1');
    expect(new URL(seen.url).search).toBe('?x=1&forceFunctionRegion=eu-west-1');
  });
});

describe('the official client returns', () => {
  it('the response of the function, also to calls at the same time', async () => {
    const call = (body: object) => client.functions.invoke('greeting', { body });
    expect(await call({})).toMatchObject({ data: { text: 'Good day, stranger' }, error: null });
    const names = ['Ada', 'Grace', 'Edith', 'Mary', 'Joan'];
    const results = await Promise.all(names.map((name) => call({ name })));
    expect(results.map(({ data }) => data)).toEqual(names.map((name) => ({ text: `Good day, ${name}` })));
  });

  it.each([
    ['application/json', { a: 1 }],
    ['Application/JSON; charset=utf-8', { a: 1 }],
    ['text/plain', '{"a":1}'],
    ['image/png', '{"a":1}'],
    ['application/octet-stream', expect.any(Blob)],
    ['application/pdf', expect.any(Blob)],
    ['text/event-stream', expect.any(Response)],
    ['multipart/form-data', expect.any(FormData)],
  ])('the type that %s means', async (type, expected) => {
    const { data, error } = await client.functions.invoke('typed', { body: type });
    expect([error, data]).toEqual([null, expected]);
  });

  it('an HTTP error whose response can be read', async () => {
    const { data, error } = await client.functions.invoke('fails');
    expect([data, error]).toEqual([null, expect.any(FunctionsHttpError)]);
    expect(await (error as FunctionsHttpError).context.json()).toEqual({ reason: 'teapot' });
    const invalid = await client.functions.invoke('greeting', { body: 'no JSON' });
    expect((invalid.error as FunctionsHttpError).context.status).toBe(500);
  });

  it('an error of the relay if the header says so', async () => {
    const { error } = await client.functions.invoke('relay');
    expect(error).toBeInstanceOf(FunctionsRelayError);
  });

  it('a fetch error after an abort or a timeout, which the function notices', async () => {
    const leaving = new AbortController();
    const call = client.functions.invoke('slow', { signal: leaving.signal });
    await expect.poll(() => server.logOf('slow')).toEqual(['waits']);
    leaving.abort();
    expect((await call).error).toBeInstanceOf(FunctionsFetchError);
    await expect.poll(() => server.logOf('slow')).toEqual(['waits', 'aborted']);
    const late = await client.functions.invoke('slow', { timeout: 200 });
    expect(late.error).toBeInstanceOf(FunctionsFetchError);
  });
});

describe('a function with the CORS headers of the official client', () => {
  const allowed = (response: Response) =>
    Object.fromEntries(Object.keys(corsHeaders).map((name) => [name, response.headers.get(name)]));

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('permits a page to send %s', async (method) => {
    const headers = { origin: 'https://page.example', 'access-control-request-method': method };
    const preflight = await server.call('cors', { method: 'OPTIONS', headers });
    expect([preflight.status, allowed(preflight)]).toEqual([200, corsHeaders]);
    const response = await server.call('cors', { method, headers: { origin: 'https://page.example' } });
    expect([await response.json(), allowed(response)]).toEqual([{ method }, corsHeaders]);
  });

  it.each([400, 401, 404, 500])('permits a page to read a response with status %i', async (status) => {
    const response = await server.call(`cors?status=${status}`, {
      headers: { origin: 'https://page.example' },
    });
    expect([response.status, allowed(response)]).toEqual([status, corsHeaders]);
  });
});
