/** PATCH and DELETE of a relation. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DataServer } from '../testing/data-server.ts';
import { check, openHarbour, type Scenario } from './testing/harbour.ts';

let server: DataServer;
beforeAll(async () => {
  server = await openHarbour();
});
afterAll(() => server.close());

const REPRESENTATION = { prefer: 'return=representation' };
const NO_BODY = { 'content-type': null, 'content-length': null };

describe('PATCH', () => {
  it.each<Scenario>([
    {
      name: 'updates the filtered rows',
      path: '/sailors?age=lt.13',
      body: { rank: 'child' },
      status: 204,
      text: '',
      answered: { ...NO_BODY, 'content-range': '0-1/*', location: null, 'preference-applied': null },
    },
    {
      name: 'returns the updated rows',
      path: '/sailors?age=lt.13&select=name,rank&order=name.desc',
      headers: REPRESENTATION,
      body: { rank: 'child' },
      json: [
        { name: 'Ben', rank: 'child' },
        { name: 'Ada', rank: 'child' },
      ],
      answered: { 'content-range': '0-1/*', 'preference-applied': 'return=representation' },
    },
    {
      name: 'counts the updated rows',
      path: '/sailors?age=lt.13',
      headers: { prefer: 'count=exact, return=minimal' },
      body: { rank: 'child' },
      status: 204,
      answered: { 'content-range': '0-1/2', 'preference-applied': 'return=minimal, count=exact' },
    },
    {
      name: 'updates nothing for a list with an empty object',
      path: '/badges',
      headers: { prefer: 'count=exact' },
      body: [{}],
      status: 204,
      answered: { 'content-range': '*/0' },
    },
    {
      name: 'returns no body with return=headers-only',
      path: '/sailors?id=eq.1',
      headers: { prefer: 'return=headers-only' },
      body: { age: 1 },
      status: 204,
      text: '',
      answered: { ...NO_BODY, 'preference-applied': 'return=headers-only' },
    },
    {
      name: 'returns 204 for an empty table',
      path: '/empty_slips',
      body: { id: 20 },
      status: 204,
      answered: { ...NO_BODY, 'content-range': '*/*' },
    },
    {
      name: 'returns 204 if no row matches',
      path: '/sailors?id=eq.99',
      body: { age: 1 },
      status: 204,
      answered: { 'content-range': '*/*' },
    },
    {
      name: 'returns an empty list if no row matches',
      path: '/sailors?id=eq.99',
      headers: REPRESENTATION,
      body: { age: 1 },
      json: [],
      answered: { 'content-range': '*/*', 'content-length': '2' },
    },
    {
      name: 'sets a column to null',
      path: '/sailors?id=eq.1&select=age',
      headers: REPRESENTATION,
      body: { age: null },
      json: [{ age: null }],
    },
    {
      name: 'filters by a computed field',
      path: '/ships?is_first=is.true&select=id,crew',
      headers: REPRESENTATION,
      body: { crew: 1 },
      json: [{ id: 1, crew: 1 }],
    },
    {
      name: 'returns computed fields',
      path: '/ships?id=eq.1&select=title',
      headers: REPRESENTATION,
      body: { flag: 'SE' },
      json: [{ title: 'Albatross of SE' }],
    },
    {
      name: 'returns the computed field of another relation',
      path: '/owners?id=eq.1&select=title',
      headers: REPRESENTATION,
      body: { city: 'Oslo' },
      json: [{ title: 'Fjord Line, Oslo' }],
    },
    {
      name: 'filters by a field in JSON',
      path: '/ships?papers->>class=eq.B&select=id',
      headers: REPRESENTATION,
      body: { papers: { class: ' "C' } },
      json: [{ id: 2 }],
    },
    {
      name: 'filters with logical operators',
      path: '/sailors?or=(id.eq.1,name.eq.Ben)&select=id&order=id',
      headers: REPRESENTATION,
      body: { age: 2 },
      json: [{ id: 1 }, { id: 2 }],
    },
    {
      name: 'returns rows that no longer match the filter',
      path: '/sailors?or=(name.like.*d*,age.gt.39)&select=name,age&order=age',
      headers: REPRESENTATION,
      body: { age: 2 },
      json: [
        { name: 'Ada', age: 2 },
        { name: 'Cleo', age: 2 },
      ],
    },
    {
      name: 'stores non-Latin text',
      path: '/scraps?a=eq.1',
      headers: REPRESENTATION,
      body: { a: '圍棋', b: '￥' },
      json: [{ a: '圍棋', b: '￥' }],
    },
    {
      name: 'ignores whitespace around the body',
      path: '/badges?id=eq.1',
      headers: REPRESENTATION,
      body: '\t \n \r { "id": 99 } \t \n \r ',
      json: [{ id: 99 }],
      answered: { 'content-length': '11' },
    },
    {
      name: 'accepts a list of one row',
      path: '/badges?id=eq.1',
      headers: REPRESENTATION,
      body: [{ id: 99 }],
      json: [{ id: 99 }],
    },
    {
      name: 'stores bits of fixed length',
      path: '/codes?char=eq.aaaaa',
      headers: REPRESENTATION,
      body: { bit: '11100' },
      json: [{ bit: '11100', char: 'aaaaa' }],
    },
    {
      name: 'stores characters of fixed length',
      path: '/codes?bit=eq.00000',
      headers: REPRESENTATION,
      body: { char: 'zzzyy' },
      json: [{ bit: '00000', char: 'zzzyy' }],
    },
    {
      name: 'updates only the listed columns',
      path: '/sailors?id=eq.3&columns=age&select=name,age',
      headers: REPRESENTATION,
      body: { age: 41, name: 'x', shoe: 44 },
      json: [{ name: 'Cleo', age: 41 }],
    },
    {
      name: 'sets missing listed columns to null',
      path: '/sailors?id=eq.3&columns=age,rank&select=age,rank',
      headers: REPRESENTATION,
      body: { rank: 'cook' },
      json: [{ age: null, rank: 'cook' }],
    },
    {
      name: 'sets missing listed columns to defaults with missing=default',
      path: '/sailors?id=eq.3&columns=age,rank&select=age,rank',
      headers: { prefer: 'return=representation, missing=default' },
      body: { rank: 'cook' },
      json: [{ age: 18, rank: 'cook' }],
      answered: { 'preference-applied': 'missing=default, return=representation' },
    },
    {
      name: 'sets missing listed columns to the defaults of a view',
      path: '/named_sailors?id=eq.3&columns=age,name&select=age,name',
      headers: { prefer: 'return=representation, missing=default' },
      body: { age: null },
      json: [{ age: null, name: 'Nemo' }],
    },
    {
      name: 'accepts listed columns if no row matches',
      path: '/sailors?id=eq.99&columns=age',
      headers: REPRESENTATION,
      body: { hat: 1 },
      json: [],
    },
    {
      name: 'returns embedded rows',
      path: '/crews?id=eq.1&select=name,crews(name)&crews.order=name',
      headers: REPRESENTATION,
      body: { name: 'Top' },
      json: [{ name: 'Top', crews: [{ name: 'Aft' }, { name: 'Bow' }] }],
    },
    {
      name: 'filters the embedded rows that it returns',
      path: '/crews?id=eq.1&select=name,crews(name,crews(id))&crews.name=like.B*',
      headers: REPRESENTATION,
      body: { name: 'Top' },
      json: [{ name: 'Top', crews: [{ name: 'Bow', crews: [{ id: 4 }] }] }],
    },
    {
      name: 'accepts a form',
      path: '/sailors?id=eq.1&select=age',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...REPRESENTATION },
      body: 'age=7',
      json: [{ age: 7 }],
    },
    {
      name: 'accepts CSV',
      path: '/sailors?id=eq.1&select=age',
      headers: { 'content-type': 'text/csv', ...REPRESENTATION },
      body: 'age\n7',
      json: [{ age: 7 }],
    },
    {
      name: 'updates a column that is not readable',
      path: '/accounts?id=eq.1',
      body: { password: 'new' },
      status: 204,
      text: '',
      answered: NO_BODY,
    },
    {
      name: 'returns the readable columns',
      path: '/accounts?id=eq.1&select=id,email',
      headers: REPRESENTATION,
      body: { password: 'new' },
      json: [{ id: 1, email: 'one@harbour.example' }],
    },
    {
      name: 'rejects return=representation of unreadable columns',
      path: '/accounts?id=eq.1',
      headers: REPRESENTATION,
      body: { password: 'new' },
      status: 401,
      json: { code: '42501' },
    },
    {
      name: 'rejects a filter on an unreadable column',
      path: '/accounts?password=eq.x',
      body: { password: 'new' },
      status: 401,
      json: { code: '42501' },
    },
    {
      name: 'ignores limit and offset',
      path: '/badges?limit=1&offset=1&columns=id&id=eq.1',
      headers: REPRESENTATION,
      body: { id: 9 },
      json: [{ id: 9 }],
    },
    {
      name: 'ignores the header Range',
      path: '/badges?id=eq.1',
      headers: { range: '5-9', ...REPRESENTATION },
      body: { id: 9 },
      json: [{ id: 9 }],
    },
  ])('$name', (scenario) => check(server, { method: 'PATCH', ...scenario }));

  it.each(['{}', '[]', '[{}]'])('changes nothing with %s', async (body) => {
    const emptyUpdate = { method: 'PATCH', body };
    await check(server, {
      ...emptyUpdate,
      path: '/sailors',
      status: 204,
      answered: { ...NO_BODY, 'content-range': '*/*' },
    });
    await check(server, {
      ...emptyUpdate,
      path: '/sailors?select=id',
      status: 204,
      answered: { 'content-range': '*/*' },
    });
    const expected = {
      json: [],
      answered: { 'content-range': '*/*', 'preference-applied': 'return=representation' },
    };
    await check(server, { ...emptyUpdate, path: '/sailors?select=id', headers: REPRESENTATION, ...expected });
    await check(server, {
      ...emptyUpdate,
      path: '/owners?select=title',
      headers: REPRESENTATION,
      ...expected,
    });
  });

  it('commits the change with tx=commit', async () => {
    const commit = { prefer: 'tx=commit' };
    const set = (b: string, to: string) =>
      check(server, {
        path: `/scraps?b=eq.${b}`,
        method: 'PATCH',
        headers: commit,
        body: { b: to },
        status: 204,
        answered: { 'preference-applied': 'tx=commit', 'content-range': '0-1/*' },
      });
    await set('0', '1');
    expect((await server.request('/scraps?select=a&b=eq.1&order=a')).json).toEqual([{ a: '1' }, { a: '2' }]);
    await set('1', '0');
  });

  it.each<Scenario>([
    {
      name: 'an empty body',
      path: '/badges',
      body: '',
      json: { code: 'PGRST102' },
    },
    {
      name: 'invalid JSON',
      path: '/badges',
      body: '}{ x = 2',
      json: { code: 'PGRST102', hint: null },
    },
    {
      name: 'an unknown listed column',
      path: '/sailors?columns=helmet',
      body: { age: 1 },
      json: {
        code: 'PGRST204',
        message: "Could not find the 'helmet' column of 'sailors' in the schema cache",
      },
    },
    {
      name: 'an unknown key',
      path: '/sailors?id=eq.1',
      body: { helmet: 1 },
      json: { code: 'PGRST204' },
    },
    {
      name: 'an unknown relation',
      path: '/garlic?columns=helmet',
      body: {},
      status: 404,
      json: { code: 'PGRST205', message: "Could not find the table 'public.garlic' in the schema cache" },
    },
    { name: 'an invalid filter', path: '/sailors?id=1', body: { age: 1 }, json: { code: 'PGRST100' } },
    {
      name: 'a value of another type',
      path: '/sailors?id=eq.1',
      body: { age: 'x' },
      json: { code: '22P02' },
    },
    { name: 'a duplicate key', path: '/badges', body: { id: 1 }, status: 409, json: { code: '23505' } },
    {
      name: 'a view that is not updatable',
      path: '/flag_counts',
      body: { ships: 1 },
      status: 500,
      json: { code: '55000' },
    },
  ])('rejects $name', (scenario) => check(server, { method: 'PATCH', status: 400, ...scenario }));
});

describe('DELETE', () => {
  it.each<Scenario>([
    {
      name: 'deletes the filtered rows',
      path: '/buoys?id=eq.1',
      status: 204,
      text: '',
      answered: { ...NO_BODY, 'content-range': '*/*', 'preference-applied': null },
    },
    {
      name: 'filters by a boolean',
      path: '/ships?in_service=is.unknown&id=eq.4',
      status: 204,
      answered: { 'content-range': '*/*' },
    },
    {
      name: 'returns the deleted rows',
      path: '/accounts?id=eq.1&select=id,email',
      headers: REPRESENTATION,
      json: [{ id: 1, email: 'one@harbour.example' }],
      answered: { 'content-range': '*/*', 'preference-applied': 'return=representation' },
    },
    {
      name: 'counts the deleted rows',
      path: '/buoys?id=eq.2',
      headers: { prefer: 'return=representation, count=exact' },
      json: [{ id: 2 }],
      answered: {
        'content-range': '*/1',
        'content-length': '10',
        'preference-applied': 'return=representation, count=exact',
      },
    },
    {
      name: 'returns no body with return=headers-only',
      path: '/buoys?id=eq.2',
      headers: { prefer: 'return=headers-only' },
      status: 204,
      text: '',
      answered: { ...NO_BODY, 'preference-applied': 'return=headers-only' },
    },
    {
      name: 'ignores select with return=minimal',
      path: '/buoys?id=eq.3&select=id',
      headers: { prefer: 'return=minimal' },
      status: 204,
      text: '',
      answered: { ...NO_BODY, 'preference-applied': 'return=minimal' },
    },
    {
      name: 'returns aliases and casts',
      path: '/buoys?id=eq.3&select=no:id::text',
      headers: REPRESENTATION,
      json: [{ no: '3' }],
    },
    {
      name: 'returns the parent in the same table',
      path: '/crews?id=eq.4&select=name,boss:boss_id(name)',
      headers: REPRESENTATION,
      json: [{ name: 'Mast', boss: { name: 'Bow' } }],
    },
    {
      name: 'returns the parent or null',
      path: '/calls?id=in.(4,5)&select=id,ships(name)&order=id.desc',
      headers: REPRESENTATION,
      json: [
        { id: 5, ships: null },
        { id: 4, ships: { name: 'Cormorant' } },
      ],
    },
    {
      name: 'returns an empty list if no row matches',
      path: '/buoys?id=eq.99',
      headers: REPRESENTATION,
      json: [],
      answered: { 'content-range': '*/*' },
    },
    {
      name: 'filters with logical operators',
      path: '/buoys?or=(id.eq.3,id.eq.5)&order=id.desc',
      headers: REPRESENTATION,
      json: [{ id: 5 }, { id: 3 }],
    },
    {
      name: 'ignores limit',
      path: '/buoys?limit=1',
      headers: { prefer: 'count=exact' },
      status: 204,
      answered: { 'content-range': '*/15' },
    },
    {
      name: 'ignores the body',
      path: '/buoys?id=eq.1',
      headers: { 'content-type': 'application/json' },
      body: { id: 2 },
      status: 204,
    },
    {
      name: 'rejects return=representation of unreadable columns',
      path: '/accounts?id=eq.1',
      headers: REPRESENTATION,
      status: 401,
      json: { code: '42501' },
    },
    {
      name: 'needs no read privilege for all columns by default',
      path: '/accounts?id=eq.2',
      status: 204,
      answered: NO_BODY,
    },
    {
      name: 'rejects an unknown relation',
      path: '/foozle?id=eq.1',
      status: 404,
      json: { code: 'PGRST205', message: "Could not find the table 'public.foozle' in the schema cache" },
    },
    { name: 'rejects a referenced row', path: '/owners?id=eq.1', status: 409, json: { code: '23503' } },
    {
      name: 'rejects a view that is not updatable',
      path: '/flag_counts',
      status: 500,
      json: { code: '55000' },
    },
  ])('$name', (scenario) => check(server, { method: 'DELETE', ...scenario }));
});
