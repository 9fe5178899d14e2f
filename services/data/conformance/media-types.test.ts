import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DataServer, WireRequest } from '../testing/data-server.ts';
import { openHarbour } from './testing/harbour.ts';

let server: DataServer;
beforeAll(async () => {
  server = await openHarbour({ PGRST_DB_TX_END: 'commit' });
});
afterAll(() => server.close());

const accepting = (accept: string): WireRequest => ({ headers: { accept } });

/** Each path, asked for as this type, is answered with this text as that type. */
function serves(cases: readonly [path: string, accept: string, type: string, text: string][]): void {
  it.each(cases)('returns %s as %s', async (path, accept, type, text) => {
    const response = await server.request(path, accepting(accept));
    expect([response.status, response.header('content-type'), response.text]).toEqual([200, type, text]);
    expect(response.header('content-length')).toBe(String(Buffer.byteLength(text)));
  });
}

/** None of the types can be produced. */
function refuses(cases: readonly [path: string, accept: string][]): void {
  it.each(cases)('rejects %s as %s with status 406', async (path, accept) => {
    const response = await server.request(path, accepting(accept));
    expect(response.status).toBe(406);
    expect(response.json).toMatchObject({ code: 'PGRST107', details: null, hint: null });
    expect(response.header('content-type')).toBe('application/json; charset=utf-8');
  });
}

/** The bytes of an answer. */
async function bytesOf(path: string, accept: string, init: RequestInit = {}) {
  const response = await fetch(server.url + path, { ...init, headers: { ...init.headers, accept } });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

describe('a function that returns a media type', () => {
  it('returns bytes unchanged', async () => {
    expect(await bytesOf('/rpc/stamp?id=1', 'application/vnd.stamp')).toEqual({
      status: 200,
      type: 'application/vnd.stamp',
      bytes: Buffer.from('Atlas\0\xff', 'latin1'),
    });
    expect(await bytesOf('/rpc/picture', 'image/png, */*')).toMatchObject({ status: 200, type: 'image/png' });
    expect(
      await bytesOf(
        '/rpc/picture',
        'text/html,application/xhtml+xml,application/xml;q=0.9,image/png,*/*;q=0.8',
      ),
    ).toMatchObject({ status: 200, type: 'image/png', bytes: Buffer.from('\x89PNG', 'latin1') });
  });

  it.each<[call: string, sent: string, type: string]>([
    ['same_words', 'some words', 'text/plain'],
    ['same_tag', '<note><to>Jo</to></note>', 'text/xml'],
  ])('returns the posted text unchanged: %s', async (call, body, type) => {
    const headers = { 'content-type': type, accept: type };
    const response = await server.request(`/rpc/${call}`, { method: 'POST', headers, body });
    expect([response.status, response.text]).toEqual([200, body]);
  });

  serves([
    ['/rpc/page', 'text/html', 'text/html', '<p>page</p>'],
    ['/rpc/words', 'text/plain', 'text/plain; charset=utf-8', 'words'],
    ['/rpc/tag', 'text/xml', 'text/xml; charset=utf-8', '<tag/>'],
    // Without a row there is nothing to be said.
    ['/rpc/stamp?id=9', 'application/vnd.stamp', 'application/vnd.stamp', ''],
    ['/rpc/words', 'application/json', 'application/json; charset=utf-8', '"words"'],
  ]);

  refuses([
    ['/rpc/words', 'text/xml'],
    // Only one value can be a document.
    ['/rpc/words_twice', 'text/plain'],
  ]);
});

describe('a media type handler of a table', () => {
  serves([
    ['/sheets?id=eq.1', 'application/vnd.stamp', 'application/vnd.stamp', 'Atlas\0'],
    ['/sheets?order=id', 'application/vnd.stamp', 'application/vnd.stamp', 'Atlas\0Bible\0'],
    // Official clients write the default out.
    ['/sheets?order=id&select=*', 'application/vnd.stamp', 'application/vnd.stamp', 'Atlas\0Bible\0'],
    [
      '/rpc/sheets_again?order=id&select=*',
      'application/vnd.stamp',
      'application/vnd.stamp',
      'Atlas\0Bible\0',
    ],
    ['/rpc/sheets_again?order=id', 'application/vnd.stamp', 'application/vnd.stamp', 'Atlas\0Bible\0'],
    ['/sheets?id=eq.1', 'print/outfunc', 'print/outfunc', '(1,Atlas,"{""k"": 1}")\n'],
    ['/sheets?id=eq.1&select=id,title', 'print/outfunc', 'print/outfunc', '(1,Atlas)\n'],
    ['/sheets?id=eq.1&select=title,id', 'print/outfunc', 'print/outfunc', '(Atlas,1)\n'],
    ['/plates', 'text/tab-separated-values', 'text/tab-separated-values', '1\tzinc\n'],
    // The handler of a table wins over that of all.
    ['/plates', 'print/outfunc', 'print/outfunc', 'plates only'],
    ['/rpc/plates_again', 'print/outfunc', 'print/outfunc', 'plates only'],
    // The first type that can be made.
    [
      '/sheets?id=eq.1&select=id',
      'text/plain, application/json',
      'application/json; charset=utf-8',
      '[{"id":1}]',
    ],
    ['/sheets?id=eq.1&select=id', 'image/png, */*;q=0.1', 'application/json; charset=utf-8', '[{"id":1}]'],
  ]);

  refuses([
    ['/sheets', 'text/plain'],
    ['/plates', 'application/vnd.stamp'],
    ['/rpc/plates_again', 'application/octet-stream'],
    ['/sheets', 'undefined'],
    ['/sheets', 'application/openapi+json'],
    // An aggregate of a table's rows needs whole rows.
    ['/sheets?select=id', 'application/vnd.stamp'],
    ['/sheets?select=id,title,ink', 'application/vnd.stamp'],
  ]);

  it('names the rejected types in the error', async () => {
    const { json } = await server.request('/sheets', accepting('text/plain, image/png'));
    expect((json as { message: string }).message).toMatch(/text\/plain.*image\/png/);
  });
});

describe('a handler of a built-in type', () => {
  it('replaces the built-in CSV', async () => {
    const response = await server.request('/sheets?order=id', accepting('text/csv'));
    expect(response.status).toBe(200);
    expect(response.header('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.header('content-disposition')).toBe('attachment; filename="sheets.csv"');
    const { bytes } = await bytesOf('/sheets?order=id', 'text/csv');
    expect(bytes.toString()).toBe('\uFEFFid;title\n1;Atlas\n2;Bible\n');
  });

  serves([
    ['/plates', 'application/json', 'application/json; charset=utf-8', '{"overridden": true}'],
    ['/plates?select=id', 'text/csv', 'text/csv; charset=utf-8', 'id\n1'],
    // Not those that say how many rows there are.
    [
      '/plates',
      'application/vnd.pgrst.object',
      'application/vnd.pgrst.object+json; charset=utf-8',
      '{"id":1,"metal":"zinc"}',
    ],
  ]);
});

describe('a handler of */*', () => {
  it.each<[path: string, accept: string, status: number, type: string]>([
    ['/sheets.xml', '*/*', 200, 'text/xml'],
    ['/sheets.xml', 'text/xml', 200, 'text/xml'],
    ['/sheets.xml', 'application/xml', 200, 'application/xml'],
    ['/sheets.xml', 'unknown/media', 415, 'application/json; charset=utf-8'],
    ['/dice', '*/*', 200, 'application/octet-stream'],
    ['/dice', 'magic/number', 200, 'application/octet-stream'],
    ['/rpc/anything', '*/*', 200, 'application/octet-stream'],
    ['/rpc/anything', 'text/bang', 200, 'application/octet-stream'],
  ])('responds to %s as %s with status %i', async (path, accept, status, type) => {
    const response = await server.request(path, accepting(accept));
    expect([response.status, response.header('content-type')]).toEqual([status, type]);
    if (status === 415)
      expect(response.json).toMatchObject({ code: 'PT415', message: 'Unsupported Media Type' });
  });

  serves([
    ['/sheets.xml?id=eq.1', 'text/xml', 'text/xml', '<sheet id="1">Atlas</sheet>'],
    ['/dice?value=gt.1&order=value', 'a/b', 'application/octet-stream', '23'],
    ['/rpc/anything', 'text/csv', 'application/octet-stream', 'any'],
  ]);
});

describe('a media type handler for HEAD', () => {
  it.each<[path: string, accept: string, type: string]>([
    ['/sheets', 'application/vnd.stamp', 'application/vnd.stamp'],
    ['/sheets', 'print/outfunc', 'print/outfunc'],
    ['/plates', 'text/csv', 'text/csv; charset=utf-8'],
  ])('returns for %s as %s only the content type %s', async (path, accept, type) => {
    const response = await server.request(path, { method: 'HEAD', headers: { accept } });
    expect([response.status, response.header('content-type'), response.text]).toEqual([200, type, '']);
  });
});

describe('a media type handler for a write', () => {
  const headers = { 'content-type': 'application/json; charset=utf-8', accept: 'application/vnd.stamp' };
  it('formats the rows of return=representation', async () => {
    const represented = { ...headers, prefer: 'return=representation' };
    const body = { id: 7, title: 'Codex' };
    const response = await server.request('/sheets', { method: 'POST', headers: represented, body });
    expect([response.status, response.text, response.header('content-type')]).toEqual([
      201,
      'Codex\0',
      'application/vnd.stamp',
    ]);
    const again = await server.request('/sheets?id=eq.7', { method: 'DELETE', headers });
    expect([again.status, again.text]).toEqual([204, '']);
  });

  it('is required even if no rows are returned', async () => {
    const response = await server.request('/plates', { method: 'POST', headers, body: { id: 9 } });
    expect([
      response.status,
      (await server.request('/plates?id=eq.9&select=id', accepting('application/json'))).json,
    ]).toEqual([406, []]);
  });
});

describe('execution plans', () => {
  const PLAN = 'application/vnd.pgrst.plan';
  it.each<[path: string, accept: string, type: string]>([
    ['/plates?id=in.(1,2)', `${PLAN}+json`, `${PLAN}+json; for="application/json"; charset=utf-8`],
    ['/sheets.xml?select=id', `${PLAN}+json; for="text/csv"`, `${PLAN}+json; for="text/csv"; charset=utf-8`],
    [
      '/plates',
      `${PLAN}+json; options=buffers`,
      `${PLAN}+json; for="application/json"; options=buffers; charset=utf-8`,
    ],
    [
      '/plates',
      `${PLAN}+json; options=analyze|wal`,
      `${PLAN}+json; for="application/json"; options=analyze|wal; charset=utf-8`,
    ],
    [
      '/plates',
      `${PLAN}+json; for="application/vnd.pgrst.object"; options=verbose`,
      `${PLAN}+json; for="application/vnd.pgrst.object+json"; options=verbose; charset=utf-8`,
    ],
    ['/rpc/plates_again', `${PLAN}+json`, `${PLAN}+json; for="application/json"; charset=utf-8`],
    [
      '/rpc/plates_again',
      `${PLAN}+json; for="application/vnd.pgrst.object"`,
      `${PLAN}+json; for="application/vnd.pgrst.object+json"; charset=utf-8`,
    ],
    ['/plates', `${PLAN}+text`, `${PLAN}+text; for="application/json"; charset=utf-8`],
    ['/plates', PLAN, `${PLAN}+text; for="application/json"; charset=utf-8`],
  ])('are returned for %s as %s', async (path, accept, type) => {
    const response = await server.request(path, accepting(accept));
    expect([response.status, response.header('content-type')]).toEqual([200, type]);
    if (accept.includes('+json'))
      expect(response.json).toMatchObject([{ Plan: { 'Node Type': 'Aggregate' } }]);
    else expect(response.text).toMatch(/^Aggregate/);
  });

  it.each<[method: string, path: string, body: unknown, headers: Record<string, string>]>([
    ['POST', '/plates', { id: 50, metal: 'tin' }, {}],
    ['PATCH', '/plates?id=eq.1', { metal: 'tin' }, {}],
    ['PUT', '/plates?id=eq.1', { id: 1, metal: 'tin' }, {}],
    ['DELETE', '/plates?id=eq.1', undefined, {}],
    ['POST', '/plates', [{ id: 1, metal: 'tin' }], { prefer: 'resolution=merge-duplicates' }],
  ])('are returned without executing %s %s', async (method, path, body, more) => {
    const headers = { accept: `${PLAN}+json`, 'content-type': 'application/json', ...more };
    const response = await server.request(path, { method, headers, ...(body !== undefined && { body }) });
    expect(response.status).toBe(200);
    expect(response.json).toMatchObject([{ Plan: { 'Total Cost': expect.any(Number) } }]);
    const left = await server.request('/plates?select=id,metal', accepting('application/vnd.pgrst.array'));
    expect(left.json).toEqual([{ id: 1, metal: 'zinc' }]);
  });

  it('contain the settings with options=settings', async () => {
    const { json } = await server.request('/plates', accepting(`${PLAN}+json; options=settings`));
    expect(json).toMatchObject([{ Settings: { search_path: expect.stringContaining('public') } }]);
  });
});

describe('media type parameters', () => {
  it.each(['application/json; charset=utf-8', 'application/json; $$ unreadable=but harmless $$'])(
    'are ignored in the content type %s',
    async (type) => {
      const response = await server.request('/sheets?id=eq.99', {
        method: 'PATCH',
        headers: { 'content-type': type },
        body: { title: 'x' },
      });
      expect(response.status).toBe(204);
    },
  );

  it('strip nulls with nulls=stripped', async () => {
    const response = await server.request(
      '/sheets?id=eq.2',
      accepting('application/vnd.pgrst.array+json;nulls=stripped'),
    );
    expect(response.text).toBe('[{"id":2,"title":"Bible"}]');
    expect(response.header('content-type')).toBe(
      'application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8',
    );
  });
});
