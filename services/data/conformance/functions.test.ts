import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DataServer, WireRequest } from '../testing/data-server.ts';
import { openHarbour } from './testing/harbour.ts';

let server: DataServer;
beforeAll(async () => {
  server = await openHarbour({ PGRST_DB_TX_END: 'commit' });
});
afterAll(() => server.close());

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const TEXT_TYPE = { 'content-type': 'text/plain' };

const post = (body: unknown, headers: Record<string, string> = JSON_TYPE): WireRequest => ({
  method: 'POST',
  headers,
  body,
});

/** Each call is answered with this value. */
function returns(cases: readonly [call: string, request: WireRequest, value: unknown][]): void {
  it.each(cases)('returns the result of %s %j', async (call, request, value) => {
    const response = await server.request(`/rpc/${call}`, request);
    expect(response.json).toEqual(value);
    expect(response.status).toBe(200);
    expect(response.header('content-type')).toBe('application/json; charset=utf-8');
  });
}

/** Each call is refused so. */
function refuses(
  cases: readonly [call: string, request: WireRequest, status: number, error: Record<string, unknown>][],
): void {
  it.each(cases)('rejects %s %j with status %i', async (call, request, status, error) => {
    const response = await server.request(`/rpc/${call}`, request);
    expect(response.json).toMatchObject(error);
    expect(response.status).toBe(status);
  });
}

describe('a function with arguments', () => {
  returns([
    ['total', post({ a: 1, b: 2 }), 3],
    ['total?a=1&b=2', {}, 3],
    ['hail', {}, 'Ahoy driver'],
    ['hail', post({}), 'Ahoy driver'],
    ['hail', { method: 'POST' }, 'Ahoy driver'],
    ['hail?who=Jo', {}, 'Ahoy Jo'],
    ['hail', post({ who: '￥' }), 'Ahoy ￥'],
    ['setPoint?newName=P%201&ID=4', {}, { newName: 'P 1', ID: 4 }],
    ['setPoint', post({ newName: 'P 1', ID: 4 }), { newName: 'P 1', ID: 4 }],
    ['defaults?b=4', {}, 8],
    ['many_inout?n=1&word=two', {}, { n: 1, word: 'two', flag: true }],
    ['many_inout?n=1&word=two&flag=false', {}, { n: 1, word: 'two', flag: false }],
    // Of several, the last; of a list, the first object; of columns, those that are named.
    ['hail?who=nobody&who=Jo', {}, 'Ahoy Jo'],
    [
      'total',
      post([
        { a: 1, b: 2 },
        { a: 10, b: 20 },
      ]),
      3,
    ],
    ['hail?columns=who', post({ who: 'Jo', other: 1 }), 'Ahoy Jo'],
    ['hail', post('who=Jo', FORM_TYPE), 'Ahoy Jo'],
    ['hail', post([]), 'Ahoy driver'],
    ['hail', post('null'), 'Ahoy driver'],
    ['hail', post({ who: null }), null],
    ['hail', post('who\nJo', { 'content-type': 'text/csv' }), 'Ahoy Jo'],
    ['hail?who=', {}, 'Ahoy '],
    // A parameter without a value is omitted.
    ['hail?who', {}, 'Ahoy driver'],
    ['total?columns=a,b', post([{ a: 1, b: 2 }, { a: 1 }]), 3],
    // Types
    [
      'varied',
      post({
        double: 3.1,
        varchar: 'x',
        boolean: true,
        day: '20300102',
        kind: 'go',
        list: ['a', 'b'],
        number: 43,
        document: { 'a key': 1 },
        binary_document: [1, '2'],
      }),
      {
        double: 3.1,
        varchar: 'x',
        boolean: true,
        day: '2030-01-02',
        kind: 'go',
        list: ['a', 'b'],
        number: 43,
        document: { 'a key': 1 },
        binary: [1, '2'],
      },
    ],
    ...(['get', 'form'] as const).map((by): [string, WireRequest, unknown] => {
      const fields = 'double=3.1&varchar=x&boolean=true&day=20300102&kind=go&list=%7Ba,b%7D&number=43';
      return [
        by === 'get' ? `varied?${fields}` : 'varied',
        by === 'get' ? {} : post(fields, FORM_TYPE),
        {
          double: 3.1,
          varchar: 'x',
          boolean: true,
          day: '2030-01-02',
          kind: 'go',
          list: ['a', 'b'],
          number: 43,
          document: {},
          binary: {},
        },
      ];
    }),
    ['kind_of', post({ document: { key: 3 } }), 'object'],
    ['kind_of', post({ document: '{"key": 3}' }), 'string'],
    // A length that PostgreSQL would cut at is no part of a parameter's type.
    ['padded?letters=abcdef&bits=101010', {}, [{ letters: 'abcdef', bits: '101010' }]],
    ['true', {}, 1],
  ]);
  refuses([
    ['hail?who=Jo', post({ who: 'Jo' }), 400, { code: 'PGRST100' }],
    ['hail?who=not.Jo', {}, 400, { code: 'PGRST100' }],
    ['hail', post('who', { 'content-type': 'application/x-unknown' }), 400, { code: 'PGRST102' }],
    ['total', post([{ a: 1, b: 2 }, { a: 1 }]), 400, { code: 'PGRST102' }],
    // A filter is no argument.
    ['total?a=eq.1&b=2', {}, 404, { code: 'PGRST202' }],
    ['total?a=1.5&b=2', {}, 400, { code: '22P02' }],
    ['hail', post('{who', JSON_TYPE), 400, { code: 'PGRST102' }],
    [
      'hail',
      { ...post({ who: 'Jo' }), headers: { ...JSON_TYPE, accept: 'audio/x' } },
      406,
      { code: 'PGRST107' },
    ],
  ]);
});

describe('a function with array arguments', () => {
  returns([
    ['next_each', post({ numbers: [1, 2, 3] }), [2, 3, 4]],
    ['next_each?numbers=%7B1,2,3%7D', {}, [2, 3, 4]],
    ['next_each', post({ numbers: '{1,2,3}' }), [2, 3, 4]],
    ['next_any', post({ numbers: [1, 2] }), [2, 3]],
    ['next_any?numbers=1&numbers=2', {}, [2, 3]],
    ['next_any?numbers=1', {}, [2]],
    ['next_any', {}, []],
    ['next_any', post('numbers=1&numbers=2', FORM_TYPE), [2, 3]],
    ['next_any', post('numbers=1', FORM_TYPE), [2]],
    ['next_any', post('', FORM_TYPE), []],
    ['hail_any?who=nobody&who=Jo&rest=1', {}, 'Ahoy Jo'],
  ]);
});

describe('a function with the whole body as argument', () => {
  returns([
    ['product', post({ x: 4, y: 2 }), 8],
    ['whole', post({ A: 1, 'b c': [2] }), { A: 1, 'b c': [2] }],
    ['whole', post([{ a: 1 }, { a: 2 }]), [{ a: 1 }, { a: 2 }]],
    // PostgREST gives an empty list to the function here.
    ['whole', post('5'), 5],
    ['shout', post('a text', TEXT_TYPE), 'A TEXT'],
    ['root_name', post('<note>x</note>', { 'content-type': 'text/xml' }), 'note'],
    // Only where no overload takes the names.
    ['any_body', post({}), 1],
    ['any_body', post({ x: 1, y: 2 }), 3],
    ['any_body', post({ z: 1 }), { z: 1 }],
    ['any_body', post('words', TEXT_TYPE), 'words'],
    ['any_body', { headers: TEXT_TYPE }, 1],
  ]);

  it('receives the bytes unchanged', async () => {
    const bytes = Uint8Array.from([0, 255, 10, 128]);
    const response = await server.request(
      '/rpc/store_bytes',
      post(bytes, { 'content-type': 'application/octet-stream' }),
    );
    expect([response.status, response.text, response.header('content-type')]).toEqual([204, '', null]);
    const [stored] = await server.database.admin.query({
      text: "select encode(content, 'hex') as hex from raw_bytes",
    });
    expect(stored).toEqual({ hex: '00ff0a80' });
  });

  it('receives a list of objects as its only parameter', async () => {
    const items = [
      { entry: 'one', no: '1' },
      { entry: 'two', no: '2' },
    ];
    expect((await server.request('/rpc/note_all', post({ items }))).status).toBe(204);
    expect((await server.request('/journal?select=entry,no&order=no')).json).toEqual([
      { entry: 'one', no: 1 },
      { entry: 'two', no: 2 },
    ]);
  });

  refuses([
    [
      'named_whole',
      post({ A: 1, C: 2, B: 3 }),
      404,
      {
        code: 'PGRST202',
        message: 'Could not find the function public.named_whole(A, B, C) in the schema cache',
        details:
          'Searched for the function public.named_whole with parameters A, B, C or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
        hint: null,
      },
    ],
    [
      'length_of',
      post('12', TEXT_TYPE),
      404,
      {
        code: 'PGRST202',
        message: 'Could not find the function public.length_of in the schema cache',
        details:
          'Searched for the function public.length_of with a single unnamed text parameter, but no matches were found in the schema cache.',
        hint: null,
      },
    ],
    ['length_of', post('<a/>', { 'content-type': 'text/xml' }), 404, { code: 'PGRST202' }],
    [
      'length_of',
      post(Uint8Array.from([1]), { 'content-type': 'application/octet-stream' }),
      404,
      { code: 'PGRST202' },
    ],
    [
      'length_of',
      post({ '': 12 }),
      404,
      {
        code: 'PGRST202',
        message: 'Could not find the function public.length_of() in the schema cache',
        details:
          'Searched for the function public.length_of with parameter  or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
      },
    ],
    [
      'any_body',
      post('a,b\n1,2', { 'content-type': 'text/csv' }),
      404,
      {
        code: 'PGRST202',
        hint: 'Perhaps you meant to call the function public.any_body(x, y)',
      },
    ],
    [
      'bodies',
      post({ z: 1 }),
      300,
      {
        code: 'PGRST203',
        message:
          'Could not choose the best candidate function between: public.bodies( => json), public.bodies( => jsonb)',
      },
    ],
    [
      'root_name',
      post('<', { 'content-type': 'text/xml' }),
      400,
      { code: '2200N', message: 'invalid XML content' },
    ],
  ]);
});

describe('a function that returns rows', () => {
  returns([
    ['tall_signals?select=name&order=name.desc', {}, [{ name: 'B' }, { name: 'A' }]],
    ['tall_signals?select=name,on:lines(name)&height=gt.5.9', {}, [{ name: 'B', on: { name: 'coast' } }]],
    ['all_signals?select=id&id=gt.1&id=lt.5&order=id', post({}), [{ id: 2 }, { id: 3 }, { id: 4 }]],
    // Filters may be about columns that are not selected.
    ['all_signals?select=id,line_id&name=like.D', {}, [{ id: 4, line_id: 2 }]],
    ['all_signals?select=id&or=(name.eq.A,name.eq.C)&order=id', {}, [{ id: 1 }, { id: 3 }]],
    // An argument and a filter of one name.
    ['signals_below?id=5&id=gt.2&select=id&order=id', {}, [{ id: 3 }, { id: 4 }]],
    ['signals_below?id=5&id=not.gt.2&select=id&order=id', {}, [{ id: 1 }, { id: 2 }]],
    ['signals_below?id=5&id=not.in.(1,3)&select=id&order=id', {}, [{ id: 2 }, { id: 4 }]],
    ['one_signal?id=3&select=name', {}, { name: 'C' }],
    ['one_signal?select=name', post({ id: 3 }), { name: 'C' }],
    ['no_signals', {}, []],
    ['no_signals', post({}), []],
    ['numbers', {}, [1, 2, 3]],
    ['table_of_one', {}, [{ a: 'A' }]],
    ['table_of_two', {}, [{ table_of_two: 'A', b: 1 }]],
    ['a_record', {}, { id: 1, name: 'coast' }],
    [
      'records',
      post({}),
      [
        { id: 1, name: 'coast' },
        { id: 2, name: 'hill' },
      ],
    ],
  ]);

  it.each<[call: string, request: WireRequest, status: number, range: string, rows: unknown]>([
    ['signals_below?id=5&select=id', { headers: { range: '1-1' } }, 200, '1-1/*', [{ id: 2 }]],
    ['signals_below?id=5&select=id&limit=1&offset=1', {}, 200, '1-1/*', [{ id: 2 }]],
    ['signals_below?select=id&limit=1&offset=1', post({ id: 5 }), 200, '1-1/*', [{ id: 2 }]],
    [
      'signals_below?id=3&select=id',
      { headers: { range: '1-1', prefer: 'count=exact' } },
      206,
      '1-1/2',
      [{ id: 2 }],
    ],
    [
      'signals_below?select=id&limit=1&offset=1',
      post({ id: 3 }, { ...JSON_TYPE, prefer: 'count=exact' }),
      206,
      '1-1/2',
      [{ id: 2 }],
    ],
    [
      'signals_below?select=id',
      post({ id: 3 }, { ...JSON_TYPE, prefer: 'count=exact', range: '1-1' }),
      200,
      '0-1/2',
      [{ id: 1 }, { id: 2 }],
    ],
    [
      'signals_below?select=id&limit=2&offset=1',
      post({ id: 5 }, { ...JSON_TYPE, prefer: 'count=exact', range: '0-0' }),
      206,
      '1-2/4',
      [{ id: 2 }, { id: 3 }],
    ],
    [
      'all_signals?select=id,lines!inner(id)&lines.id=eq.2',
      { headers: { prefer: 'count=exact' } },
      200,
      '0-1/2',
      [
        { id: 3, lines: { id: 2 } },
        { id: 4, lines: { id: 2 } },
      ],
    ],
    ['total?a=3&b=4', { headers: { prefer: 'count=exact' } }, 200, '0-0/1', 7],
    ['a_percent?value=8', { headers: { prefer: 'count=exact' } }, 200, '0-0/1', 8],
    ['a_spot', { headers: { prefer: 'count=exact' } }, 200, '0-0/1', { x: 3, y: 4 }],
  ])('paginates %s %j', async (call, request, status, range, rows) => {
    const response = await server.request(`/rpc/${call}`, request);
    expect([response.status, response.header('content-range'), response.json]).toEqual([status, range, rows]);
    expect(response.header('content-length')).toBe(String(Buffer.byteLength(response.text)));
    if (request.method === undefined) {
      const headers = { ...request.headers };
      const hasRange = 'range' in headers;
      const head = await server.request(`/rpc/${call}`, { ...request, method: 'HEAD' });
      expect([head.status, head.text, head.header('content-length')]).toEqual([
        hasRange ? 200 : status,
        '',
        null,
      ]);
      if (!hasRange) expect(head.header('content-range')).toBe(range);
      expect(head.header('content-type')).toBe('application/json; charset=utf-8');
    }
  });

  it.each<[method: string]>([['GET'], ['POST'], ['HEAD']])('returns CSV to %s', async (method) => {
    const headers = { ...JSON_TYPE, accept: 'text/csv' };
    const response = await server.request(`/rpc/signals_below?select=id${method === 'POST' ? '' : '&id=3'}`, {
      method,
      headers,
      ...(method === 'POST' && { body: { id: 3 } }),
    });
    expect([response.status, response.header('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(response.text).toBe(method === 'HEAD' ? '' : 'id\n1\n2');
  });

  it('is inlined, so that a filter uses an index', async () => {
    const headers = { accept: 'application/vnd.pgrst.plan' };
    const { text } = await server.request('/rpc/all_signals?id=eq.1', { headers });
    expect(text).not.toContain('Function Scan');
    expect(text).toMatch(/Index Cond|Filter: \(id = 1\)|Filter: \(signals\.id = 1\)/);
  });

  refuses([
    ['records?id=eq.1', {}, 400, {}],
    ['records?select=id', {}, 400, {}],
  ]);
});

describe('a function with a special result type', () => {
  returns([
    ['an_array', {}, [1, 2]],
    ['an_aspect', post({ value: 'go' }), 'go'],
    ['a_percent', post({ value: '8' }), 8],
    ['a_range', post({ low: 10, high: 20 }), '[10,20)'],
    ['a_spot', post({}), { x: 3, y: 4 }],
    ['a_spot_domain', post({}), { x: 3, y: 4 }],
    ['a_null', {}, null],
    ['one_out?n=5', {}, { next: 6 }],
    ['one_inout?n=2', {}, { n: 3 }],
    ['many_out', {}, { n: 3, document: { a: 1 }, word: 'four' }],
  ]);

  it.each(['POST'])('responds to %s with 204 if it returns void', async (method) => {
    const response = await server.request('/rpc/nothing', { method });
    expect([response.status, response.text]).toEqual([204, '']);
    expect([response.header('content-type'), response.header('content-length')]).toEqual([null, null]);
  });

  refuses([
    // The type is in a schema without USAGE for the role.
    ['a_gear', {}, 401, { code: '42501' }],
    ['an_aspect', post({ value: 'fly' }), 400, { code: '22P02' }],
    ['a_percent?value=101', {}, 400, { code: '23514' }],
  ]);
});

describe('a single-object request of a function', () => {
  const single = { headers: { accept: 'application/vnd.pgrst.object+json' } };
  it.each<[call: string, status: number, value: unknown]>([
    ['total?a=1&b=2', 200, 3],
    ['all_signals?id=eq.1&select=name', 200, { name: 'A' }],
    ['one_signal?id=1&select=name', 200, { name: 'A' }],
    // A function that returns one row returns it in any case.
    ['one_signal?id=99&select=name', 200, { name: null }],
    ['numbers', 406, { code: 'PGRST116', details: 'The result contains 3 rows' }],
    ['no_signals', 406, { code: 'PGRST116', details: 'The result contains 0 rows' }],
  ])('responds to %s with status %i', async (call, status, value) => {
    const response = await server.request(`/rpc/${call}`, single);
    expect([response.status, response.json]).toMatchObject([status, value]);
  });
});

describe('OPTIONS of a function', () => {
  it.each([
    ['hail', 200, 'OPTIONS,GET,HEAD,POST'],
    ['count_call', 200, 'OPTIONS,POST'],
    ['total', 404, null],
  ])('responds to %s with status %i and Allow %s', async (name, status, allow) => {
    const response = await server.request(`/rpc/${name}`, { method: 'OPTIONS' });
    expect([response.status, response.header('allow')]).toEqual([status, allow]);
  });
});

describe('an overloaded function', () => {
  returns([
    ['stay?line_id=1', {}, 1],
    ['stay?line_id=1&since=2030-01-01', {}, 'since 2030-01-01'],
    ['stay', {}, [7, 8]],
    ['stay', post('', FORM_TYPE), [7, 8]],
    ['stay', post('line_id=1&since=2030-01-01', FORM_TYPE), 'since 2030-01-01'],
  ]);
  refuses([
    [
      'vague?value=1',
      {},
      300,
      {
        code: 'PGRST203',
        message:
          'Could not choose the best candidate function between: public.vague(value => integer), public.vague(value => text)',
        details: null,
        hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
      },
    ],
    [
      'stay?platform=1',
      {},
      404,
      {
        code: 'PGRST202',
        message: 'Could not find the function public.stay(platform) in the schema cache',
      },
    ],
    [
      'stay?line_id=1&since=2030-01-01&x=1',
      {},
      404,
      {
        code: 'PGRST202',
        hint: 'Perhaps you meant to call the function public.stay(line_id, since)',
      },
    ],
  ]);
});

describe('an unknown function or method', () => {
  refuses([
    ['nowhere', post({}), 404, { code: 'PGRST202', hint: null }],
    [
      'hai',
      {},
      404,
      {
        code: 'PGRST202',
        message: 'Could not find the function public.hai without parameters in the schema cache',
        details:
          'Searched for the function public.hai without parameters, but no matches were found in the schema cache.',
        hint: 'Perhaps you meant to call the function public.hail',
      },
    ],
    ['total', {}, 404, { code: 'PGRST202' }],
    [
      'hail?wh=Jo',
      {},
      404,
      {
        code: 'PGRST202',
        message: 'Could not find the function public.hail(wh) in the schema cache',
        details:
          'Searched for the function public.hail with parameter wh, but no matches were found in the schema cache.',
        hint: 'Perhaps you meant to call the function public.hail(who)',
      },
    ],
    [
      'total?a=1&b=2&more=x',
      {},
      404,
      {
        code: 'PGRST202',
        hint: 'Perhaps you meant to call the function public.total(a, b)',
      },
    ],
    ['not_a_function', post({}), 404, { code: 'PGRST202' }],
    ['nothing', { method: 'DELETE' }, 405, { code: 'PGRST101', details: null, hint: null }],
    ['nothing', { method: 'PATCH', headers: JSON_TYPE, body: {} }, 405, { code: 'PGRST101' }],
    ['nothing', { method: 'PUT', headers: JSON_TYPE, body: {} }, 405, { code: 'PGRST101' }],
  ]);
});

describe('a function that writes', () => {
  it('is executed once per request', async () => {
    const before = (await server.request('/rpc/count_call', { method: 'POST' })).json as number;
    const headers = { prefer: 'count=exact' };
    expect((await server.request('/rpc/count_call', { method: 'POST', headers })).json).toBe(before + 1);
    expect((await server.request('/rpc/count_call', { method: 'POST' })).json).toBe(before + 2);
  });

  it('returns the rows that it changed', async () => {
    const response = await server.request('/rpc/rename_signal?select=name', post({ id: 5, name: 'F' }));
    expect([response.status, response.json]).toEqual([200, [{ name: 'F' }]]);
  });

  refuses([
    ['count_call', {}, 405, { code: '25006' }],
    ['rename_signal?id=1&name=X', {}, 405, { code: '25006' }],
  ]);
});

describe('the settings of a request', () => {
  it('expose headers, cookies, claims, path and method to SQL', async () => {
    const response = await server.request('/rpc/settings_of_request', {
      method: 'POST',
      headers: { 'user-agent': 'lamp/1', cookie: 'session=abc; other=1' },
      claims: { role: 'authenticated', email: 'a@example.org' },
    });
    expect(response.json).toMatchObject({
      agent: 'lamp/1',
      cookie: 'abc',
      claim: 'a@example.org',
      role: 'authenticated',
      path: '/rpc/settings_of_request',
      method: 'POST',
      current: 'authenticated',
      setting: 'authenticated',
    });
  });
});
