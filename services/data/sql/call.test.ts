import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Calls, type Calls as Database, type TestCall } from './testing/calls.ts';

let calls: Database;
beforeAll(async () => {
  calls = await Calls.open({ schemas: ['studio', 'annex'] });
});
afterAll(() => calls.close());

/** A function, how it is called, and the text of the answer. */
type Row = [name: string, call: TestCall, body: string];

async function textOf(name: string, call: TestCall): Promise<string | undefined> {
  return (await calls.call(name, call)).body?.toString();
}

function check(rows: readonly Row[]) {
  it.each(rows)('calls %s with %j and returns %s', async (name, call, body) => {
    expect(await textOf(name, call)).toBe(body);
  });
}

const get = (query: string, more: TestCall = {}): TestCall => ({ ...more, query });
const post = (body: unknown, more: TestCall = {}): TestCall => ({
  ...more,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const form = (body: string): TestCall => ({ body, contentType: 'application/x-www-form-urlencoded' });
const ids = (...numbers: number[]) => `[${numbers.map((id) => `{"id":${id}}`).join(', \n ')}]`;

describe('a function that returns values', () => {
  check([
    ['add', get('a=1'), '11'],
    ['nothing', {}, 'null'],
    ['strings', {}, '["a","b"]'],
    ['null', {}, '1'],
    ['maybe', {}, '[1, null]'],
    ['none', {}, '[]'],
    ['many', get('last=3'), '[2, 4, 6]'],
    ['many', get('last=5&order=pgrst_scalar.desc', { rootLimit: 2 }), '[10, 8]'],
    ['many', get('last=5&pgrst_scalar=gt.6'), '[8, 10]'],
    ['many', get('last=3', { format: { kind: 'csv' } }), 'pgrst_scalar\n2\n4\n6'],
    ['add', get('a=1', { format: { kind: 'object', stripsNulls: false } }), '11'],
    ['strings', get('', { format: { kind: 'array-stripped' } }), '["a","b"]'],
  ]);
});

describe('a function that returns rows', () => {
  check([
    ['origin', {}, '{"x":1,"y":2}'],
    ['no_point', {}, '{"x":null,"y":null}'],
    ['origin', get('select=y'), '{"y":2}'],
    ['corner', {}, '{"x":3,"y":4}'],
    ['corners', get('x=gt.3'), '[{"x":5,"y":6}]'],
    ['one_out', get('n=5'), '{"m":6}'],
    ['json_out', {}, '{"j":{"a": [1]}}'],
    ['outs', get('n=5'), '{"n":5,"t":"x","b":true}'],
    ['outs', get('n=5&b=false'), '{"n":5,"t":"x","b":false}'],
    ['nameless_out', {}, '{"column1":1,"column2":"x"}'],
    ['table_one', {}, '[{"a":"A"}]'],
    ['table_two', get('n=2'), '[{"a b":"A","called":1}, \n {"a b":"A","called":2}]'],
    ['table_two', get('n=3&called=gt.2&select=called'), '[{"called":3}]'],
    ['paints', {}, '[{"colour":1,"other":"x"}]'],
  ]);
});

describe('a function that returns a record without columns', () => {
  check([
    ['anything', {}, '{"a":1,"b":"x"}'],
    ['anything_plpgsql', get('wanted=7'), '{"a":7,"b":"x"}'],
    ['anything_plpgsql', post({ wanted: 7 }), '{"a":7,"b":"x"}'],
    [
      'all_anything',
      get('first=3'),
      '[{"id":3,"title":"The White Dog"}, \n {"id":4,"title":"Nobody, Again"}]',
    ],
    ['all_anything', get('first=3', { rootLimit: 1 }), '[{"id":3,"title":"The White Dog"}]'],
  ]);

  it('cannot return a set of records from PL/pgSQL', async () => {
    await expect(calls.call('any_plpgsql')).rejects.toHaveProperty('code', '0A000');
  });
});

describe('a function that returns rows of a relation', () => {
  check(
    [
      ['film', get('id=1&select=id,title'), '{"id":1,"title":"Blue Train"}'],
      ['film', post({ id: 3 }, get('select=id,directors(name)')), '{"id":3,"directors":{"name":"Bela"}}'],
      ['all_films', get('select=id&year=lt.2000&order=id.desc'), ids(2, 1)],
      ['all_films', get('select=id&or=(id.eq.1,title.like.Nobody*)'), ids(1, 4)],
      ['all_films', get('select=id&order=id', { rootLimit: 2, rootOffset: 1 }), ids(2, 3)],
      ['all_films', get('select=id&order=id', { maxRows: 1 }), ids(1)],
      ['all_films', get('select=shout&id=eq.1'), '[{"shout":"BLUE TRAIN"}]'],
      ['all_films', get('select=id&shout=like.*DOG'), ids(3)],
      ['all_films', get('select=id,rivals(id)&id=eq.4&rivals.id=eq.1'), '[{"id":4,"rivals":[{"id":1}]}]'],
      ['all_films', get('select=id,actors!inner(name)&actors.name=eq.Zoe'), '[]'],
      ['all_films', get('select=id,directors()&directors=is.null'), ids(4)],
      ['all_films', get('select=id,...directors(name)&id=eq.1'), '[{"id":1,"name":"Agnes"}]'],
      ['all_films', get('select=count()'), '[{"count":4}]'],
      [
        'new_films',
        post({}, get('select=id,directors(name)&id=eq.1')),
        '[{"id":1,"directors":{"name":"Agnes"}}]',
      ],
      ['new_films', post({ since: 1995 }, get('select=id&order=id')), ids(2, 3)],
      ['all_paints', get('id=eq.2'), '[{"id":2,"colour":"#001000","other":"#0000ff"}]'],
      ['rooms_of', get('film=2&select=id,film_id', { schema: 'annex' }), '[{"id":1,"film_id":2}]'],
      [
        'films',
        get('id=eq.3&select=id,directors(id)', { schema: 'annex' }),
        '[{"id":3,"directors":{"id":2}}]',
      ],
    ].filter(([, , body]) => body !== '42703') as Row[],
  );

  it.each<[name: string, call: TestCall, code: string]>([
    ['add', get('a=1&select=nothing'), '42703'],
    ['anything', get('select=a'), '42703'],
    ['all_films', get('nothing=eq.1'), '42703'],
  ])('rejects an unknown column: %s %j', async (name, call, code) => {
    await expect(calls.call(name, call)).rejects.toHaveProperty('code', code);
  });

  it.each([
    ['add', get('a=1&select=directors(id)')],
    ['paints', get('select=films(id)')],
    ['all_films', get('select=paints(id)')],
  ])('rejects an embedding without a relationship: %s %j', (name, call) => {
    expect(() => calls.plan(name, call)).toThrow(expect.objectContaining({ code: 'PGRST200' }));
  });
});

describe('an overloaded function', () => {
  check([
    ['which', {}, '"none"'],
    ['which', get('a=1'), '"a"'],
    ['which', get('b=x&a=1'), '"a, b"'],
    ['which', get('c=5'), '[5, 1]'],
    ['which', post({ a: 1 }), '"a"'],
    ['which', post({ b: 'x', a: 1 }), '"a, b"'],
    ['which', post({ d: 2, c: 1 }), '[1, 2]'],
    ['which', post({}), '"none"'],
    ['which', post(''), '"none"'],
    ['which', post({ x: 1 }), '"json {\\"x\\":1}"'],
    ['which', form('a=1'), '"a"'],
    ['which', { body: 'hi', contentType: 'text/plain' }, '"text hi"'],
    ['which', get('a=1', { contentType: 'text/plain' }), '"a"'],
  ]);
});

describe('a function with arguments', () => {
  const chars = '["abc", ["d","efg"], "101", ["1","10"]]';
  const all = '[{"a":1}, [1, 2], "large", {"x":1,"y":null}, 4, "2026-01-02", {"a":1}, 255]';
  check([
    ['add', get('a=1&b=2'), '3'],
    ['add', post('{"a": 1, "b": 2}'), '3'],
    ['add', form('a=1&b=2'), '3'],
    ['add', get('a=ignored&a=1&b=x&b=4'), '5'],
    ['add', form('a=ignored&a=1'), '11'],
    [
      'add',
      post([
        { a: 1, b: 1 },
        { a: 5, b: 5 },
      ]),
      '2',
    ],
    ['add', post({ a: 1, b: null }), 'null'],
    ['add', post({ a: '1', b: 2, c: 3 }, get('columns=a,b')), '3'],
    ['add', post([{ a: 1, x: 2 }, { b: 7 }], get('columns=a')), '11'],
    ['add', post([], get('columns=a')), 'null'],
    ['add', { body: 'a,b\n1,2\n3,4', contentType: 'text/csv' }, '3'],
    ['joined', {}, '[]'],
    ['joined', get('parts=a'), '["a"]'],
    ['joined', get('parts=a&parts=b,"{}\\'), '["a","b,\\"{}\\\\"]'],
    ['joined', get('parts=NULL&parts='), '["NULL",""]'],
    ['joined', post({ parts: ['a', null] }), '["a",null]'],
    ['joined', post({}), '[]'],
    ['joined', form('parts=a&parts=b'), '["a","b"]'],
    ['joined', form(''), '[]'],
    ['total', get('numbers=1&factor=ignored&numbers=2&factor=10'), '30'],
    ['total', post({ numbers: [3, 4], factor: 2 }), '14'],
    ['boxes', get('all_boxes=(1,1),(0,0)&all_boxes=(2,2),(1,1)'), '2'],
    ['codes', get('all_codes=abc&all_codes=d'), '["abc","d"]'],
    ['chars', get('c=abc&cs={d,efg}&b=101&bs={1,10}'), chars],
    ['chars', post({ c: 'abc', cs: ['d', 'efg'], b: '101', bs: '{1,10}' }), chars],
    [
      'numbers',
      get('big=9007199254740993&num=1.000000000000000000001'),
      '[9007199254740993, 1.000000000000000000001, null]',
    ],
    [
      'numbers',
      post('{"big": 9007199254740993, "num": 1.000000000000000000001, "flt": 1e-7}'),
      '[9007199254740993, 1.000000000000000000001, 1e-07]',
    ],
    ['poly_array', get('a=1&a=2'), '"{1,2}"'],
    ['ints', get('numbers={1,2}&texts={a,"b c",NULL}'), '[[1,2], ["a","b c",null]]'],
    ['ints', post({ numbers: [1, 2], texts: '{a}' }), '[[1,2], ["a"]]'],
    ['typed', get('j={"a":1}&jb=[1,2]&s=large&p=(1,)&e=4&d=20260102&o=(1)&c=255'), all],
    [
      'typed',
      post({
        j: { a: 1 },
        jb: [1, 2],
        s: 'large',
        p: { x: 1 },
        e: 4,
        d: '2026-01-02',
        o: { a: '1' },
        c: 255,
      }),
      all,
    ],
    ['kind_of', post({ j: { a: 1 } }), '"object"'],
    ['kind_of', post({ j: '{"a":1}' }), '"string"'],
    ['kind_of', get('j={"a":1}'), '"object"'],
    ['named_json', post({ data: [1, 'x'] }), '[1,"x"]'],
    ['Quoted Name', post({ 'First "Name"': "o'x", user: 1 }), '["o\'x", 1]'],
    ['Quoted Name', get('"First \\"Name\\""=a&user=2'), '["a", 2]'],
    ['given', get('given=5&result=2'), '3'],
    ['given', post({ given: 5, result: 2 }), '3'],
    ['films_of', post({ director: { id: 1, name: 'Agnes' } }, get('select=id&order=id')), ids(1, 2)],
  ]);

  it.each<[name: string, call: TestCall, code: string]>([
    ['add', get('a=x'), '22P02'],
    ['add', post({ a: 'x' }), '22P02'],
    ['add', post('3', get('columns=a')), '22023'],
    ['typed', get('e=3'), '23514'],
    ['typed', post({ e: 3 }), '23514'],
    ['typed', get('s=huge'), '22P02'],
    ['ints', get('numbers=1,2'), '22P02'],
    ['joined', post({ parts: 'x' }), '22P02'],
    ['poly', get('a=1'), '42804'],
    ['poly', post({ a: 1 }), '42P16'],
    ['poly_array', post({ a: [1] }), '42P16'],
  ])('rejects a value of another type: %s %j', async (name, call, code) => {
    await expect(calls.call(name, call)).rejects.toHaveProperty('code', code);
  });
});

describe('a function with the whole body as argument', () => {
  const raw = (contentType: string, body: string | Buffer): TestCall => ({ contentType, body });
  check([
    ['echo_json', post('{"B":1, "A":[2]}'), '{"B":1, "A":[2]}'],
    ['echo_json', post('"text"'), '"text"'],
    ['echo_json', post('[{"a":1},{"a":2}]'), '[{"a":1},{"a":2}]'],
    ['echo_json', post(''), '{}'],
    ['echo_json', post('{"":1}'), '{"":1}'],
    ['echo_jsonb', post('{"b":1,"b":2}'), '{"b": 2}'],
    ['echo_text', raw('text/plain', 'a "text"\n'), '"a \\"text\\"\\n"'],
    ['echo_text', raw('text/plain', ''), '""'],
    ['echo_xml', raw('text/xml', '<a>1</a>'), '"<a>1</a>"'],
    ['echo_bytea', raw('application/octet-stream', Buffer.from([0, 255, 39])), '"\\\\x00ff27"'],
    ['maybe_json', post('[]'), '[]'],
    ['maybe_json', get(''), '"default"'],
  ]);

  it.each<[name: string, call: TestCall, code: string]>([
    ['echo_xml', raw('text/xml', '<'), '2200N'],
    ['echo_text', raw('text/plain', Buffer.from([255])), '22021'],
    ['echo_text', raw('text/plain', 'a\0b'), '22021'],
    ['echo_jsonb', post('"\\u0000"'), '22P05'],
  ])('rejects an invalid body: %s', async (name, call, code) => {
    await expect(calls.call(name, call)).rejects.toHaveProperty('code', code);
  });
});

describe('a function that returns void', () => {
  it.each<[name: string, format: NonNullable<TestCall['format']>]>([
    ['close', { kind: 'none' }],
    ['close', { kind: 'json' }],
    ['close', { kind: 'csv' }],
    ['close_plpgsql', { kind: 'json' }],
    ['close_plpgsql', { kind: 'object', stripsNulls: true }],
  ])('returns one row for %s in the format %j', async (name, format) => {
    const { pageCount } = await calls.call(name, post({}, { format }));
    expect(pageCount).toBe(1);
  });

  it('runs if no body is requested', async () => {
    const before = Number(await calls.queryValue("select count(*) from studio.log where text = 'closed'"));
    await calls.call('close', post({}, { format: { kind: 'none' } }));
    expect(Number(await calls.queryValue("select count(*) from studio.log where text = 'closed'"))).toBe(
      before + 1,
    );
  });
});

describe('a function call', () => {
  beforeEach(() => calls.queryValue("select setval('studio.calls', 1, false)"));

  const none = { format: { kind: 'none' } } as const;
  const exact = { count: 'exact' } as const;
  const film = get('select=id,directors!inner(name),actors(id)&directors.name=eq.Bela');
  it.each<[name: string, call: TestCall]>(
    ['count_call', 'count_stable', 'count_record', 'count_stable_record', 'count_row'].flatMap((name) => [
      [name, {}],
      [name, none],
      [name, exact],
      [name, { ...exact, rootLimit: 1 }],
      [name, { ...exact, rootOffset: 1 }],
      [name, { ...exact, maxRows: 5 }],
      [name, { format: { kind: 'csv' }, ...exact }],
      [name, { format: { kind: 'object', stripsNulls: true } }],
    ]),
  )('executes %s once with %j', async (name, call) => {
    await calls.call(name, post({}, { ...call, isReadOnly: false }));
    expect(await calls.queryValue('select last_value from studio.calls')).toBe('1');
  });

  it.each<[name: string, call: TestCall]>(
    ['count_films', 'count_stable_films'].flatMap((name) => [
      [name, {}],
      [name, none],
      [name, { ...exact, ...film }],
      [name, { ...exact, ...film, ...none }],
      [name, { ...exact, ...film, rootLimit: 1 }],
      [name, { ...exact, ...get('select=id&id=gt.2'), rootLimit: 1, rootOffset: 1 }],
      [
        name,
        { ...exact, ...get('select=id,directors(name)&order=directors(name)'), format: { kind: 'csv' } },
      ],
      [name, { count: 'estimated', maxRows: 1 }],
    ]),
  )('executes the set-returning %s once with %j', async (name, call) => {
    await calls.call(name, post({}, { ...call, isReadOnly: false }));
    expect(await calls.queryValue('select last_value from studio.calls')).toBe('1');
    expect(await calls.queryValue('select is_called from studio.calls')).toBe(true);
  });

  it.each<[name: string, call: TestCall]>([
    ['count_films', { rootLimit: 0 }],
    ['count_films', { rootLimit: 0, ...exact }],
    ['count_films', get('id=in.()')],
    ['count_films', get('or=(id.in.())')],
    ['count_films', get('select=id,screenings!inner(id)&screenings.id=eq.0')],
    ['count_call', { rootLimit: 0 }],
    ['count_call', { rootOffset: 1, ...none }],
  ])('executes %s once if no row is returned: %j', async (name, call) => {
    await calls.call(name, post({}, { ...call, isReadOnly: false }));
    expect(await calls.queryValue('select is_called from studio.calls')).toBe(true);
    expect(await calls.queryValue('select last_value from studio.calls')).toBe('1');
  });

  it('executes the function to the end despite a limit', async () => {
    await calls.call('count_records', post({}, { rootLimit: 1 }));
    expect(await calls.queryValue('select last_value from studio.calls')).toBe('3');
  });

  it('does not execute a function for an empty list of arguments', async () => {
    const call = post([], get('columns=since'));
    const before = await calls.queryValue('select count(*) from studio.log');
    expect(await textOf('new_films', call)).toBe('[]');
    expect(await calls.queryValue('select count(*) from studio.log')).toBe(before);
  });
});

describe('row counts of a call', () => {
  it.each<[name: string, call: TestCall, total: number | undefined, page: number]>([
    ['all_films', {}, undefined, 4],
    ['all_films', { count: 'exact' }, 4, 4],
    ['all_films', { count: 'exact', rootLimit: 1 }, 4, 1],
    ['all_films', { count: 'exact', rootLimit: 1, ...get('id=gt.2') }, 2, 1],
    ['all_films', { count: 'exact', rootLimit: 1, ...get('select=id,directors!inner(id)') }, 3, 1],
    ['all_films', { count: 'estimated', rootLimit: 1 }, 4, 1],
    ['all_films', { count: 'estimated', maxRows: 1 }, 4, 1],
    ['all_films', { count: 'planned', rootLimit: 1 }, undefined, 1],
    ['many', { count: 'exact', rootLimit: 1, ...get('last=3') }, 3, 1],
    ['none', { count: 'exact' }, 0, 0],
    ['add', { count: 'exact', ...get('a=1') }, 1, 1],
    ['nothing', { count: 'exact' }, 1, 1],
    ['origin', { count: 'exact' }, 1, 1],
    ['origin', { count: 'exact', maxRows: 5 }, 1, 1],
    ['origin', { count: 'exact', rootLimit: 5, ...get('x=eq.7') }, 1, 1],
    ['no_point', { count: 'exact', format: { kind: 'none' } }, 1, 1],
    ['anything', { count: 'exact' }, 1, 1],
    ['all_anything', { count: 'exact', rootLimit: 1, ...get('first=2') }, 3, 1],
  ])('of %s with %j are %s in total and %s on the page', async (name, call, total, page) => {
    const { totalCount, pageCount } = await calls.call(name, call);
    expect([totalCount, pageCount]).toEqual([total, page]);
  });
});

describe('a function that returns a media type', () => {
  it.each<[name: string, call: TestCall, body: Buffer]>([
    ['as_text', get('name=Ann'), Buffer.from('Hello, Ann')],
    ['as_odd', {}, Buffer.from('{"a": 1}')],
    ['as_image', {}, Buffer.from([1, 2, 255])],
  ])('returns the bytes of %s unchanged', async (name, call, body) => {
    const handler = calls.cache.mediaHandlers.find(({ function: maker }) => maker.name === name);
    if (handler === undefined) throw new Error('no handler');
    const outcome = await calls.call(name, { ...call, format: { kind: 'custom', handler } });
    expect(outcome.body).toEqual(body);
  });
});

describe('errors of a function', () => {
  it('are returned as raised', async () => {
    await expect(calls.call('fail', post({}))).rejects.toMatchObject({
      code: 'PT402',
      message: 'Payment',
      detail: 'Quota',
      hint: 'Upgrade',
    });
  });

  it.each<[name: string, call: TestCall]>([
    ['write', { method: 'GET' }],
    ['write', { method: 'HEAD', format: { kind: 'none' } }],
    ['write_stable', post({})],
  ])('reject a write in a read-only call: %s %j', async (name, call) => {
    const before = await calls.queryValue('select count(*) from studio.log');
    await expect(calls.call(name, call)).rejects.toMatchObject({
      code: expect.stringMatching(/25006|0A000/),
    });
    expect(await calls.queryValue('select count(*) from studio.log')).toBe(before);
  });
});

describe('query plans of a call', () => {
  it.each<[name: string, call: TestCall]>([
    ['all_films', get('select=id&id=eq.1')],
    ['films_of', post({ director: { id: 1 } }, get('select=id'))],
  ])('inline the query of a stable function: %s %j', async (name, call) => {
    const lines = await calls.explain(name, call);
    expect(lines).toMatch(/Scan .*on studio\.films/);
    expect(lines).not.toContain('Function Scan on studio.');
  });

  it('do not inline a volatile function', async () => {
    expect(await calls.explain('new_films')).toContain('Function Scan on studio.new_films');
  });
});
