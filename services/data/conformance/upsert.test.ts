/** Upserts: POST with a resolution, and PUT of one row. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DataServer } from '../testing/data-server.ts';
import { check, openHarbour, type Scenario } from './testing/harbour.ts';

let server: DataServer;
beforeAll(async () => {
  server = await openHarbour();
});
afterAll(() => server.close());

const merge = (...more: string[]) => ({
  prefer: ['return=representation', 'resolution=merge-duplicates', ...more].join(', '),
});
const ignore = (...more: string[]) => ({
  prefer: ['return=representation', 'resolution=ignore-duplicates', ...more].join(', '),
});
const MERGED = { 'preference-applied': 'resolution=merge-duplicates, return=representation' };
const IGNORED = { 'preference-applied': 'resolution=ignore-duplicates, return=representation' };

describe('an upsert that merges duplicates', () => {
  it.each<Scenario>([
    {
      name: 'inserts new rows and updates existing ones',
      path: '/flags',
      headers: merge(),
      body: [
        { code: 'NO', name: 'Norge', place: 9 },
        { code: 'FI', name: 'Finland', place: 4 },
      ],
      json: [
        { code: 'NO', name: 'Norge', place: 9 },
        { code: 'FI', name: 'Finland', place: 4 },
      ],
      answered: { ...MERGED, 'content-range': '*/*' },
    },
    {
      name: 'returns 200 if it only updates',
      path: '/flags',
      headers: merge('count=exact'),
      body: [
        { code: 'NO', place: 9 },
        { code: 'PT', place: 8 },
      ],
      status: 200,
      json: [
        { code: 'NO', name: 'Norway', place: 9 },
        { code: 'PT', name: 'Portugal', place: 8 },
      ],
      answered: { 'content-range': '*/2' },
    },
    {
      name: 'returns no body by default',
      path: '/flags',
      headers: { prefer: 'resolution=merge-duplicates' },
      body: { code: 'NO', place: 9 },
      status: 200,
      text: '',
      answered: { 'preference-applied': 'resolution=merge-duplicates', 'content-length': '0' },
    },
    {
      name: 'returns the location with return=headers-only',
      path: '/flags',
      headers: { prefer: 'resolution=merge-duplicates, return=headers-only' },
      body: { code: 'NO', place: 9 },
      status: 200,
      answered: { location: '/flags?code=eq.NO' },
    },
    {
      name: 'returns 201 if it inserts',
      path: '/flags',
      headers: { prefer: 'resolution=merge-duplicates' },
      body: { code: 'SE' },
      text: '',
    },
    {
      name: 'uses a key of two columns',
      path: '/slips',
      headers: merge(),
      body: [
        { dock: 'East', number: 1, depth: 9 },
        { dock: 'West', number: 1, depth: 3 },
      ],
      json: [
        { dock: 'East', number: 1, depth: 9, note: 'deep' },
        { dock: 'West', number: 1, depth: 3, note: null },
      ],
      answered: MERGED,
    },
    {
      name: 'updates a partitioned table',
      path: '/voyages',
      headers: merge(),
      body: [
        { line: 'Coast', year: 1999, ship: null },
        { line: 'Isles', year: 2021, ship: 'Oden' },
      ],
      json: [
        { line: 'Coast', year: 1999, ship: null },
        { line: 'Isles', year: 2021, ship: 'Oden' },
      ],
      answered: MERGED,
    },
    { name: 'accepts an empty list', path: '/flags', headers: merge(), body: [], status: 200, json: [] },
    {
      name: 'uses the unique column of on_conflict',
      path: '/sailors?on_conflict=name&select=name,age,rank',
      headers: merge(),
      body: [
        { name: 'Ada', age: 13 },
        { name: 'Dot', age: 20 },
      ],
      json: [
        { name: 'Ada', age: 13, rank: 'cook' },
        { name: 'Dot', age: 20, rank: null },
      ],
      answered: MERGED,
    },
    {
      name: 'uses the two columns of on_conflict',
      path: '/slips?on_conflict=dock,number&select=note',
      headers: merge(),
      body: [{ dock: 'East', number: 2, note: 'new' }],
      status: 200,
      json: [{ note: 'new' }],
    },
    {
      name: 'generates missing keys with missing=default',
      path: '/sailors?columns=id,name&select=name,rank',
      headers: merge('missing=default'),
      body: [{ id: 1, name: 'Adele' }, { name: 'Dot' }],
      json: [
        { name: 'Adele', rank: 'cook' },
        { name: 'Dot', rank: null },
      ],
      answered: {
        'preference-applied': 'resolution=merge-duplicates, missing=default, return=representation',
      },
    },
    {
      name: 'accepts a table with key columns only',
      path: '/badges',
      headers: merge(),
      body: [{ id: 1 }, { id: 4 }],
      json: [{ id: 1 }, { id: 4 }],
      answered: MERGED,
    },
    {
      name: 'is an insert for a table without a key',
      path: '/scraps',
      headers: merge(),
      body: [{ a: '1', b: '0' }],
      json: [{ a: '1', b: '0' }],
      answered: { 'preference-applied': 'return=representation' },
    },
    {
      name: 'accepts names in mixed case',
      path: '/Camel%20Case',
      headers: merge(),
      body: [
        { theId: 1, theName: 'uno' },
        { theId: 2, theName: 'due' },
      ],
      json: [
        { theId: 1, theName: 'uno' },
        { theId: 2, theName: 'due' },
      ],
    },
    {
      name: 'returns embedded rows in order',
      path: '/crews?select=id,crews(name)&order=id.desc',
      headers: merge(),
      body: [
        { id: 1, name: 'Top' },
        { id: 2, name: 'Prow' },
      ],
      status: 200,
      json: [
        { id: 2, crews: [{ name: 'Mast' }] },
        { id: 1, crews: [{ name: 'Bow' }, { name: 'Aft' }] },
      ],
    },
    {
      name: 'accepts CSV',
      path: '/flags?select=code,place',
      headers: { 'content-type': 'text/csv', ...merge() },
      body: 'code,place\nNO,5',
      status: 200,
      json: [{ code: 'NO', place: 5 }],
    },
    {
      name: 'is an insert without a resolution',
      path: '/sailors?on_conflict=name',
      body: [{ name: 'Ada' }],
      status: 409,
      json: { code: '23505' },
    },
    {
      name: 'rejects on_conflict without a unique constraint',
      path: '/sailors?on_conflict=age',
      headers: merge(),
      body: [{ name: 'Ada', age: 1 }],
      status: 400,
      json: {
        code: '42P10',
        message: 'there is no unique or exclusion constraint matching the ON CONFLICT specification',
      },
    },
    {
      name: 'rejects on_conflict with an unknown column',
      path: '/sailors?on_conflict=hat',
      headers: merge(),
      body: [{ name: 'Ada' }],
      status: 400,
      json: { code: '42703' },
    },
    {
      name: 'rejects an empty on_conflict',
      path: '/sailors?on_conflict=',
      headers: merge(),
      body: [{ name: 'Ada' }],
      status: 400,
      json: { code: 'PGRST100' },
    },
    {
      name: 'rejects the same row twice',
      path: '/flags',
      headers: merge(),
      body: [{ code: 'NO' }, { code: 'NO' }],
      status: 500,
      json: { code: '21000' },
    },
  ])('$name', (scenario) => check(server, { method: 'POST', status: 201, ...scenario }));
});

describe('an upsert that ignores duplicates', () => {
  it.each<Scenario>([
    {
      name: 'inserts only new rows',
      path: '/flags',
      headers: ignore(),
      body: [
        { code: 'FI', name: 'Finland' },
        { code: 'PT', name: 'x' },
      ],
      json: [{ code: 'FI', name: 'Finland', place: null }],
      answered: IGNORED,
    },
    {
      name: 'uses a key of two columns',
      path: '/slips?select=dock,number',
      headers: ignore(),
      body: [
        { dock: 'East', number: 1 },
        { dock: 'West', number: 1 },
      ],
      json: [{ dock: 'West', number: 1 }],
      answered: IGNORED,
    },
    {
      name: 'inserts into a partitioned table',
      path: '/voyages?select=line',
      headers: ignore(),
      body: [
        { line: 'Coast', year: 1999 },
        { line: 'Isles', year: 2021 },
      ],
      json: [{ line: 'Isles' }],
    },
    {
      name: 'uses the unique column of on_conflict',
      path: '/sailors?on_conflict=name&select=name',
      headers: ignore(),
      body: [{ name: 'Ada' }, { name: 'Dot' }, { name: 'Eve' }],
      json: [{ name: 'Dot' }, { name: 'Eve' }],
      answered: IGNORED,
    },
    {
      name: 'generates missing keys with missing=default',
      path: '/sailors?columns=id,name&select=name',
      headers: ignore('missing=default'),
      body: [{ id: 1, name: 'x' }, { name: 'Dot' }],
      json: [{ name: 'Dot' }],
      answered: {
        'preference-applied': 'resolution=ignore-duplicates, missing=default, return=representation',
      },
    },
    {
      name: 'accepts a table with key columns only',
      path: '/badges',
      headers: ignore(),
      body: [{ id: 1 }, { id: 2 }, { id: 3 }],
      json: [{ id: 3 }],
      answered: IGNORED,
    },
    {
      name: 'returns an empty list if all rows exist',
      path: '/flags',
      headers: ignore('count=exact'),
      body: [{ code: 'NO' }, { code: 'PT' }],
      json: [],
      answered: { 'content-range': '*/0' },
    },
    {
      name: 'returns no location if all rows exist',
      path: '/flags',
      headers: { prefer: 'resolution=ignore-duplicates, return=headers-only' },
      body: { code: 'NO' },
      text: '',
      answered: { location: null },
    },
    {
      name: 'accepts names in mixed case',
      path: '/Camel%20Case?select=theId',
      headers: ignore(),
      body: [
        { theId: 1, theName: 'x' },
        { theId: 2, theName: 'y' },
      ],
      json: [{ theId: 2 }],
    },
  ])('$name', (scenario) => check(server, { method: 'POST', status: 201, ...scenario }));
});

describe('PUT', () => {
  const REPRESENTATION = { prefer: 'return=representation' };
  const SINGLE = { accept: 'application/vnd.pgrst.object+json', ...REPRESENTATION };

  it.each<Scenario>([
    {
      name: 'inserts a new row',
      path: '/flags?code=eq.SE',
      headers: REPRESENTATION,
      body: { code: 'SE', name: 'Sweden', place: 4 },
      status: 201,
      json: [{ code: 'SE', name: 'Sweden', place: 4 }],
      answered: { 'preference-applied': 'return=representation', 'content-range': null, location: null },
    },
    {
      name: 'updates an existing row',
      path: '/flags?code=eq.NO',
      headers: REPRESENTATION,
      body: { code: 'NO', name: 'Norge', place: 4 },
      json: [{ code: 'NO', name: 'Norge', place: 4 }],
    },
    {
      name: 'accepts a list of one row',
      path: '/flags?code=eq.NO',
      headers: REPRESENTATION,
      body: [{ code: 'NO', name: 'Norge', place: 4 }],
      json: [{ code: 'NO', name: 'Norge', place: 4 }],
    },
    {
      name: 'returns 204 to an update by default',
      path: '/flags?code=eq.NO',
      body: { code: 'NO', name: 'x', place: 1 },
      status: 204,
      text: '',
      answered: { 'content-type': null, 'content-length': null, 'preference-applied': null },
    },
    {
      name: 'returns 204 to an insert with return=minimal',
      path: '/flags?code=eq.SE',
      headers: { prefer: 'return=minimal' },
      body: { code: 'SE', name: 'x', place: 1 },
      status: 204,
      answered: { 'preference-applied': 'return=minimal' },
    },
    {
      name: 'returns no location with return=headers-only',
      path: '/flags?code=eq.SE',
      headers: { prefer: 'return=headers-only' },
      body: { code: 'SE', name: 'x', place: 1 },
      status: 204,
      text: '',
      answered: { 'preference-applied': 'return=headers-only', location: null },
    },
    {
      name: 'inserts a row with a key of two columns',
      path: '/slips?dock=eq.West&number=eq.1',
      headers: REPRESENTATION,
      body: { dock: 'West', number: 1, depth: 1, note: null },
      status: 201,
      json: [{ dock: 'West', number: 1, depth: 1, note: null }],
    },
    {
      name: 'updates a row with a key of two columns',
      path: '/slips?number=eq.1&dock=eq.East',
      headers: REPRESENTATION,
      body: { dock: 'East', number: 1, depth: 1, note: null },
      json: [{ dock: 'East', number: 1, depth: 1, note: null }],
    },
    {
      name: 'inserts into a partitioned table',
      path: '/voyages?line=eq.Isles&year=eq.2021',
      headers: REPRESENTATION,
      body: { line: 'Isles', year: 2021 },
      status: 201,
      json: [{ line: 'Isles', year: 2021, ship: null }],
    },
    {
      name: 'updates a partitioned table',
      path: '/voyages?line=eq.Coast&year=eq.1999',
      headers: REPRESENTATION,
      body: { line: 'Coast', year: 1999, ship: null },
      json: [{ line: 'Coast', year: 1999, ship: null }],
    },
    {
      name: 'inserts into a table with key columns only',
      path: '/badges?id=eq.10',
      headers: REPRESENTATION,
      body: { id: 10 },
      status: 201,
      json: [{ id: 10 }],
    },
    {
      name: 'updates a table with key columns only',
      path: '/badges?id=eq.1',
      headers: REPRESENTATION,
      body: { id: 1 },
      json: [{ id: 1 }],
    },
    {
      name: 'accepts names in mixed case',
      path: '/Camel%20Case?theId=eq.1',
      headers: REPRESENTATION,
      body: { theId: 1, theName: 'uno' },
      json: [{ theId: 1, theName: 'uno' }],
    },
    {
      name: 'returns a single object',
      path: '/flags?code=eq.SE',
      headers: SINGLE,
      body: [{ code: 'SE', name: 'Sweden', place: 4 }],
      status: 201,
      json: { code: 'SE', name: 'Sweden', place: 4 },
      answered: { 'content-type': 'application/vnd.pgrst.object+json; charset=utf-8' },
    },
    {
      name: 'takes the row of the URL from a list',
      path: '/flags?code=eq.NO',
      headers: SINGLE,
      body: [
        { code: 'NO', name: 'Norge', place: 4 },
        { code: 'SE', name: 'x', place: 1 },
      ],
      json: { code: 'NO', name: 'Norge', place: 4 },
    },
    {
      name: 'ignores the header Range',
      path: '/flags?code=eq.NO',
      headers: { range: '1-1', ...REPRESENTATION },
      body: { code: 'NO', name: 'x', place: 5 },
      json: [{ code: 'NO', name: 'x', place: 5 }],
    },
    {
      name: 'returns embedded rows',
      path: '/crews?id=eq.1&select=name,crews(name)&crews.order=name.desc',
      headers: REPRESENTATION,
      body: { id: 1, name: 'Top', boss_id: null },
      json: [{ name: 'Top', crews: [{ name: 'Bow' }, { name: 'Aft' }] }],
    },
  ])('$name', (scenario) => check(server, { method: 'PUT', ...scenario }));

  it.each<Scenario>([
    { name: 'a limit', path: '/flags?code=eq.NO&limit=1', status: 400, json: { code: 'PGRST114' } },
    { name: 'an offset', path: '/flags?code=eq.NO&offset=1', status: 400, json: { code: 'PGRST114' } },
    {
      name: 'a filter on a column outside of the key',
      path: '/flags?place=eq.1',
      status: 405,
      json: { code: 'PGRST105' },
    },
    { name: 'a missing filter', path: '/flags', status: 405, json: { code: 'PGRST105' } },
    { name: 'a negated filter', path: '/flags?code=not.eq.NO', status: 405, json: { code: 'PGRST105' } },
    { name: 'an in filter on the key', path: '/flags?code=in.(NO)', status: 405, json: { code: 'PGRST105' } },
    { name: 'the modifier any', path: '/flags?code=eq(any).{NO}', status: 405, json: { code: 'PGRST105' } },
    { name: 'a logical operator', path: '/flags?and=(code.eq.NO)', status: 405, json: { code: 'PGRST105' } },
    {
      name: 'an additional filter',
      path: '/flags?code=eq.NO&place=eq.1',
      status: 405,
      json: { code: 'PGRST105' },
    },
    {
      name: 'a filter on half of the key',
      path: '/slips?dock=eq.East',
      status: 405,
      json: { code: 'PGRST105' },
    },
    {
      name: 'a table without a key',
      path: '/scraps?a=eq.1&b=eq.2',
      body: { a: '1', b: '2' },
      status: 405,
      json: { code: 'PGRST105' },
    },
    { name: 'a row with another key', path: '/flags?code=eq.PT', status: 400, json: { code: 'PGRST115' } },
    {
      name: 'a row with a partly different key',
      path: '/slips?dock=eq.West&number=eq.1',
      body: { dock: 'West', number: 2 },
      status: 400,
      json: { code: 'PGRST115' },
    },
    {
      name: 'an unknown relation',
      path: '/nothing?id=eq.1',
      status: 404,
      json: { code: 'PGRST205' },
    },
  ])('rejects $name', (scenario) =>
    check(server, {
      method: 'PUT',
      body: { code: 'NO', name: 'x', place: 1 },
      ...scenario,
      headers: { prefer: 'tx=commit' },
    }),
  );

  it('changes no rows when it rejects', async () => {
    expect((await server.request('/flags?select=code,name&order=place')).json).toEqual([
      { code: 'NO', name: 'Norway' },
      { code: 'PT', name: 'Portugal' },
      { code: 'GR', name: 'Greece' },
    ]);
  });
});
