/** POST of a relation: all kinds of bodies, selected columns, and the response. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DataServer } from '../testing/data-server.ts';
import { check, openHarbour, type Scenario } from './testing/harbour.ts';

let server: DataServer;
beforeAll(async () => {
  server = await openHarbour();
});
afterAll(() => server.close());

const REPRESENTATION = { prefer: 'return=representation' };
const form = (headers: Record<string, string> = {}) => ({
  'content-type': 'application/x-www-form-urlencoded',
  ...headers,
});
const csv = (headers: Record<string, string> = {}) => ({ 'content-type': 'text/csv', ...headers });
const manifest = {
  integer: 13,
  double: 3.25,
  varchar: 'rope',
  boolean: false,
  date: '1900-01-01',
  money: '$3.99',
  enum: 'box',
};

function eachPost(scenarios: readonly Scenario[]): void {
  it.each(scenarios)('$name', (scenario) => check(server, { method: 'POST', status: 201, ...scenario }));
}

describe('an insert of one row', () => {
  eachPost([
    {
      name: 'returns no body by default',
      path: '/manifests',
      body: manifest,
      text: '',
      answered: {
        'content-type': null,
        'content-length': '0',
        'content-range': '*/*',
        location: null,
        'preference-applied': null,
        vary: 'Accept, Prefer, Range',
      },
    },
    {
      name: 'returns the location with return=headers-only',
      path: '/manifests',
      headers: { prefer: 'return=headers-only' },
      body: manifest,
      text: '',
      answered: {
        'content-type': null,
        location: '/manifests?integer=eq.13',
        'preference-applied': 'return=headers-only',
      },
    },
    {
      name: 'returns the location regardless of the selected columns',
      path: '/manifests?select=varchar',
      headers: { prefer: 'return=headers-only' },
      body: manifest,
      answered: { location: '/manifests?integer=eq.13', 'content-range': '*/*', 'content-length': '0' },
    },
    {
      name: 'returns the selected columns with return=representation',
      path: '/manifests?select=integer,varchar,money',
      headers: REPRESENTATION,
      body: manifest,
      json: [{ integer: 13, varchar: 'rope', money: '$3.99' }],
      answered: {
        'content-type': 'application/json; charset=utf-8',
        'content-range': '*/*',
        location: null,
        'preference-applied': 'return=representation',
      },
    },
    {
      name: 'returns aliases and casts',
      path: '/manifests?select=no:integer::text,what:varchar',
      headers: REPRESENTATION,
      body: manifest,
      json: [{ no: '13', what: 'rope' }],
    },
    {
      name: 'returns and counts the row with its parent',
      path: '/ships?select=id,owners(id,name)',
      headers: { prefer: 'return=representation, count=exact' },
      body: { id: 77, name: 'Dory', owner_id: 2 },
      json: [{ id: 77, owners: { id: 2, name: 'Tejo' } }],
      answered: { 'content-range': '*/1', 'preference-applied': 'return=representation, count=exact' },
    },
    {
      name: 'filters the embedded rows that it returns',
      path: '/ships?select=id,owners(id)&owners.or=(id.eq.2,id.eq.3)&order=id',
      headers: REPRESENTATION,
      body: [
        { id: 78, name: 'Dory', owner_id: 2 },
        { id: 77, name: 'Sloop', owner_id: 1 },
      ],
      json: [
        { id: 77, owners: null },
        { id: 78, owners: { id: 2 } },
      ],
    },
    {
      name: 'returns the parent in the same table',
      path: '/crews?select=id,boss:boss_id(name)',
      headers: REPRESENTATION,
      body: { id: 9, name: 'Keel', boss_id: 1 },
      json: [{ id: 9, boss: { name: 'Deck' } }],
    },
    {
      name: 'ignores select with return=minimal',
      path: '/manifests?select=integer',
      headers: { prefer: 'return=minimal' },
      body: manifest,
      text: '',
      answered: { 'content-type': null, location: null, 'preference-applied': 'return=minimal' },
    },
    {
      name: 'returns a location with both columns of a key',
      path: '/slips',
      headers: { prefer: 'return=headers-only' },
      body: { dock: 'Fish & Chips+', number: 12 },
      answered: { location: '/slips?dock=eq.Fish%20%26%20Chips%2B&number=eq.12' },
    },
    {
      name: 'returns the location in a partitioned table',
      path: '/voyages',
      headers: { prefer: 'return=headers-only' },
      body: { line: 'Isles', year: 2021 },
      answered: { location: '/voyages?line=eq.Isles&year=eq.2021' },
    },
    {
      name: 'returns the location in a view',
      path: '/slips_by_dock',
      headers: { prefer: 'return=headers-only' },
      body: { dock: 'West', number: 1 },
      answered: { location: '/slips_by_dock?dock=eq.West&number=eq.1', 'content-length': '0' },
    },
    {
      name: 'returns a location with the keys of both tables of a view',
      path: '/charters',
      headers: { prefer: 'return=headers-only' },
      body: { ship_id: 1, owner_id: 2 },
      answered: { location: '/charters?owner_id=eq.2&ship_id=eq.1' },
    },
    {
      name: 'returns a location with is.null for a missing half of a key',
      path: '/charters',
      headers: { prefer: 'return=headers-only' },
      body: { ship_id: 1 },
      answered: { location: '/charters?owner_id=is.null&ship_id=eq.1' },
    },
    {
      name: 'returns no location without a key',
      path: '/scraps',
      headers: { prefer: 'return=headers-only' },
      body: { a: 'x', b: 'y' },
      answered: { location: null, 'preference-applied': 'return=headers-only' },
    },
    {
      name: 'stores null',
      path: '/scraps',
      headers: REPRESENTATION,
      body: { a: null, b: 'y' },
      json: [{ a: null, b: 'y' }],
    },
    {
      name: 'stores non-Latin text',
      path: '/flags?select=name,code',
      headers: REPRESENTATION,
      body: { code: '日本', name: '￥' },
      json: [{ code: '日本', name: '￥' }],
    },
    {
      name: 'ignores whitespace around the body',
      path: '/badges',
      headers: REPRESENTATION,
      body: '\t \n \r { "id": 9 } \t \n \r ',
      json: [{ id: 9 }],
    },
    {
      name: 'uses the defaults of all columns',
      path: '/sailors?select=name,age',
      headers: REPRESENTATION,
      body: {},
      json: [{ name: null, age: 18 }],
    },
    { name: 'uses the defaults of all columns with return=minimal', path: '/tokens', body: {}, text: '' },
    {
      name: 'ignores filters',
      path: '/badges?id=eq.1',
      headers: REPRESENTATION,
      body: { id: 9 },
      json: [{ id: 9 }],
    },
    {
      name: 'stores bits and characters of fixed length',
      path: '/codes',
      headers: REPRESENTATION,
      body: { bit: '10101', char: 'abcde' },
      json: [{ bit: '10101', char: 'abcde' }],
    },
  ]);

  it('returns a location that finds the row', async () => {
    const posted = await server.request('/flags', {
      method: 'POST',
      headers: { prefer: 'return=headers-only, tx=commit', 'content-type': 'application/json' },
      body: { code: 'é &=?/', name: 'odd' },
    });
    const location = posted.header('location') ?? '';
    expect((await server.request(location)).json).toEqual([{ code: 'é &=?/', name: 'odd', place: null }]);
    const deleted = await server.request(location, { method: 'DELETE', headers: { prefer: 'tx=commit' } });
    expect(deleted.status).toBe(204);
  });
});

describe('JSON columns of an inserted row', () => {
  const twice = '{"id": 3, "data": {"a": 1, "a": 2}}';
  eachPost([
    {
      name: 'store an object',
      path: '/waybills?select=body',
      headers: REPRESENTATION,
      body: { id: 3, body: { a: 'b' } },
      json: [{ body: { a: 'b' } }],
    },
    {
      name: 'store an array',
      path: '/waybills?select=body',
      headers: REPRESENTATION,
      body: { id: 3, body: [1, 2] },
      json: [{ body: [1, 2] }],
    },
    {
      name: 'store a number',
      path: '/waybills?select=data',
      headers: REPRESENTATION,
      body: { id: 3, data: 34 },
      json: [{ data: 34 }],
    },
    {
      name: 'keep duplicate keys',
      path: '/waybills?select=id,data',
      headers: REPRESENTATION,
      body: twice,
      text: '[{"id":3,"data":{"a": 1, "a": 2}}]',
    },
    {
      name: 'keep duplicate keys with columns',
      path: '/waybills?select=id,data&columns=id,data',
      headers: REPRESENTATION,
      body: twice,
      text: '[{"id":3,"data":{"a": 1, "a": 2}}]',
    },
    {
      name: 'keep duplicate keys with missing=default',
      path: '/waybills?select=id,data&columns=id,data',
      headers: { prefer: 'return=representation, missing=default' },
      body: twice,
      text: '[{"id":3,"data":{"a": 1, "a": 2}}]',
    },
  ]);
});

describe('an insert of several rows', () => {
  eachPost([
    {
      name: 'inserts and counts all rows',
      path: '/sailors',
      headers: { prefer: 'return=headers-only, count=exact' },
      body: [
        { name: 'J', age: 62 },
        { name: 'K', age: 10 },
      ],
      text: '',
      answered: { location: null, 'content-range': '*/2' },
    },
    {
      name: 'accepts an empty list',
      path: '/sailors',
      body: [],
      text: '',
      answered: { 'content-range': '*/*' },
    },
    {
      name: 'returns an empty list with return=representation',
      path: '/sailors',
      headers: REPRESENTATION,
      body: [],
      json: [],
    },
    { name: 'inserts a row of defaults', path: '/tokens', body: [{}] },
    {
      name: 'inserts and counts two rows of defaults',
      path: '/tokens',
      headers: { prefer: 'count=exact' },
      body: [{}, {}],
      answered: { 'content-range': '*/2' },
    },
  ]);
});

describe('an inserted form', () => {
  eachPost([
    {
      name: 'is stored as one row',
      path: '/manifests',
      headers: form(REPRESENTATION),
      body: 'integer=7&double=2.5&varchar=forms+are+fun&boolean=false&date=1900-01-01&money=$3.99&enum=bulk',
      json: [
        {
          integer: 7,
          double: 2.5,
          varchar: 'forms are fun',
          boolean: false,
          date: '1900-01-01',
          money: '$3.99',
          enum: 'bulk',
        },
      ],
    },
    {
      name: 'is decoded',
      path: '/sailors?select=name,age',
      headers: form(REPRESENTATION),
      body: 'name=Jo+Doe%21&age=50',
      json: [{ name: 'Jo Doe!', age: 50 }],
    },
  ]);
});

describe('inserted CSV', () => {
  eachPost([
    {
      name: 'is stored as one row per line',
      path: '/sailors?select=name,age,rank',
      headers: csv(REPRESENTATION),
      body: 'name,age,rank\nJo Doe,62,cook\nJonas,10,mate\n',
      json: [
        { name: 'Jo Doe', age: 62, rank: 'cook' },
        { name: 'Jonas', age: 10, rank: 'mate' },
      ],
    },
    {
      name: 'distinguishes empty texts from NULL',
      path: '/scraps',
      headers: csv(REPRESENTATION),
      body: 'a,b\n,NULL\n"x, ""y""",NULLS',
      json: [
        { a: '', b: null },
        { a: 'x, "y"', b: 'NULLS' },
      ],
    },
    {
      name: 'is returned as CSV',
      path: '/scraps',
      headers: csv({ accept: 'text/csv', ...REPRESENTATION }),
      body: 'a,b\nbar,baz\nNULL,foo',
      text: 'a,b\nbar,baz\n,foo',
      answered: { 'content-type': 'text/csv; charset=utf-8' },
    },
    {
      name: 'is returned with the selected columns',
      path: '/flags?select=code',
      headers: csv({ accept: 'text/csv', ...REPRESENTATION }),
      body: 'code,name,place\nFI,Finland,4\nSE,Sweden,5',
      text: 'code\nFI\nSE',
      answered: { 'content-range': '*/*' },
    },
    {
      name: 'is rejected if lines have different lengths',
      path: '/scraps',
      headers: csv(),
      body: 'a,b\nfoo,bar\nbaz',
      status: 400,
      json: {
        code: 'PGRST102',
        message: 'All lines must have same number of fields',
        details: null,
        hint: null,
      },
    },
    {
      name: 'inserts nothing without lines',
      path: '/scraps',
      headers: csv(REPRESENTATION),
      body: 'a,b',
      json: [],
    },
  ]);
});

describe('the parameter columns of an insert', () => {
  eachPost([
    {
      name: 'excludes other keys of an object',
      path: '/sailors?columns=name,age&select=name,age,rank',
      headers: REPRESENTATION,
      body: { name: 'Di', age: 30, rank: 'captain', shoe: 44, hat: '...' },
      json: [{ name: 'Di', age: 30, rank: null }],
    },
    {
      name: 'excludes other keys of a list of objects',
      path: '/sailors?columns=name,age&select=name,age',
      headers: REPRESENTATION,
      body: [
        { name: 'Di', age: 30, shoe: 44 },
        { name: 'Ed', hat: 'no' },
      ],
      json: [
        { name: 'Di', age: 30 },
        { name: 'Ed', age: null },
      ],
    },
    {
      name: 'sets missing columns to defaults with missing=default',
      path: '/sailors?columns=name,age,rank&select=name,age,rank',
      headers: { prefer: 'return=representation, missing=default' },
      body: [{ name: 'Di' }, { name: 'Ed', age: null }, { name: 'Flo', age: 5, rank: 'cook' }],
      json: [
        { name: 'Di', age: 18, rank: null },
        { name: 'Ed', age: null, rank: null },
        { name: 'Flo', age: 5, rank: 'cook' },
      ],
      answered: { 'preference-applied': 'missing=default, return=representation' },
    },
    {
      name: 'sets missing columns to the defaults of a view',
      path: '/named_sailors?columns=name,age&select=name,age',
      headers: { prefer: 'return=representation, missing=default' },
      body: [{ name: 'Di' }, { age: 3 }],
      json: [
        { name: 'Di', age: null },
        { name: 'Nemo', age: 3 },
      ],
    },
    {
      name: 'generates missing keys',
      path: '/sailors?columns=id,name&select=name',
      headers: { prefer: 'return=representation, missing=default' },
      body: { name: 'Di' },
      json: [{ name: 'Di' }],
    },
    {
      name: 'sets missing columns to the default of column or domain',
      path: '/berths?columns=id,name,other',
      headers: { prefer: 'return=representation, missing=default' },
      body: { name: 'Di' },
      json: [{ id: 66, name: 'Di', other: 42 }],
    },
    {
      name: 'rejects a value for a generated column',
      path: '/labels?columns=a,b',
      headers: { prefer: 'return=representation, missing=default' },
      body: [{ a: 'x' }, { a: 'y', b: 'z' }],
      status: 400,
      json: {
        code: '428C9',
        details: 'Column "b" is a generated column.',
        message: 'cannot insert a non-DEFAULT value into column "b"',
        hint: null,
      },
    },
    {
      name: 'rejects an empty list',
      path: '/sailors?columns=',
      body: [{ name: 'Di' }],
      status: 400,
      json: { code: 'PGRST100' },
    },
    {
      name: 'rejects an unknown column',
      path: '/sailors?columns=helmet',
      body: [{ name: 'Di' }],
      status: 400,
      json: {
        code: 'PGRST204',
        message: "Could not find the 'helmet' column of 'sailors' in the schema cache",
        details: null,
        hint: null,
      },
    },
    {
      name: 'reports an unknown relation before an unknown column',
      path: '/sailers_?columns=helmet',
      body: [{ name: 'Di' }],
      status: 404,
      json: { code: 'PGRST205' },
    },
    {
      name: 'rejects elements that are not objects',
      path: '/sailors?columns=name',
      body: [{ name: 'Di' }, 333, 'x'],
      status: 400,
      json: {},
    },
  ]);
});

describe('a rejected insert', () => {
  eachPost(
    (
      [
        {
          name: 'reports an empty body',
          path: '/badges',
          body: '',
          json: { code: 'PGRST102' },
        },
        {
          name: 'reports invalid JSON',
          path: '/badges',
          body: '}{ x = 2',
          json: { code: 'PGRST102' },
        },
        {
          name: 'reports elements that are not objects',
          path: '/scraps',
          body: [{ a: 'x' }, 123, 'y'],
          json: { code: 'PGRST102' },
        },
        {
          name: 'reports objects with different keys',
          path: '/scraps',
          body: [{ a: 'x' }, { a: 'y', b: 'z' }],
          json: { code: 'PGRST102', details: null, hint: null },
        },
        {
          name: 'reports an unsupported content type',
          path: '/scraps',
          headers: { 'content-type': 'text/xml' },
          body: '<a/>',
          json: { code: 'PGRST102', details: null, hint: null },
        },
        {
          name: 'reports an unknown key',
          path: '/badges',
          body: { id: 9, metal: 'tin' },
          json: {
            code: 'PGRST204',
            message: "Could not find the 'metal' column of 'badges' in the schema cache",
          },
        },
        {
          name: 'reports a missing primary key',
          path: '/flags',
          body: { name: 'Nowhere' },
          json: {
            code: '23502',
            details: 'Failing row contains (null, Nowhere, null).',
            message: 'null value in column "code" of relation "flags" violates not-null constraint',
          },
        },
        {
          name: 'reports an existing primary key',
          path: '/flags',
          body: { code: 'NO' },
          status: 409,
          json: {
            code: '23505',
            details: 'Key (code)=(NO) already exists.',
            message: 'duplicate key value violates unique constraint "flags_pkey"',
          },
        },
        {
          name: 'reports an existing unique value',
          path: '/sailors',
          body: { name: 'Ada' },
          status: 409,
          json: { code: '23505' },
        },
        {
          name: 'reports a violated foreign key',
          path: '/ships',
          body: { id: 99, name: 'Lost', owner_id: 99 },
          status: 409,
          json: { code: '23503' },
        },
        {
          name: 'reports a value of another type',
          path: '/manifests',
          body: { integer: 'x' },
          json: { code: '22P02' },
        },
        {
          name: 'reports a text that is too long',
          path: '/manifests',
          body: { integer: 1, varchar: 'x'.repeat(21) },
          json: { code: '22001' },
        },
        {
          name: 'reports a view that is not insertable',
          path: '/doubled',
          body: { id: 1 },
          status: 500,
          json: { code: '55000' },
        },
      ] satisfies Scenario[]
    ).map((scenario) => ({ status: 400, ...scenario })),
  );
});

describe('an insert with restricted privileges', () => {
  eachPost([
    {
      name: 'returns the readable columns',
      path: '/accounts?select=id,email',
      headers: REPRESENTATION,
      body: { id: 3, email: 'c' },
      json: [{ id: 3, email: 'c' }],
    },
    {
      name: 'rejects an unreadable column in select',
      path: '/accounts?select=id,password',
      headers: REPRESENTATION,
      body: { id: 3 },
      status: 401,
      json: { code: '42501', message: 'permission denied for table accounts', details: null },
      answered: { 'www-authenticate': 'Bearer' },
    },
    {
      name: 'rejects return=representation of all columns',
      path: '/accounts',
      headers: REPRESENTATION,
      body: { id: 3 },
      status: 401,
      json: { code: '42501' },
    },
    { name: 'needs no read privilege by default', path: '/wishes', body: { text: 'x' }, text: '' },
    {
      name: 'needs no read privilege with return=minimal',
      path: '/wishes',
      headers: { prefer: 'return=minimal' },
      body: { text: 'x' },
      answered: { 'preference-applied': 'return=minimal' },
    },
    {
      name: 'needs a read privilege with return=headers-only',
      path: '/wishes',
      headers: { prefer: 'return=headers-only' },
      body: { text: 'x' },
      status: 401,
      json: { code: '42501' },
    },
  ]);
});
