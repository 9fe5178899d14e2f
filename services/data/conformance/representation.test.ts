/** What an answer looks like: negotiated media types, one object or a list, stripped nulls; and what bodies may be. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DataServer } from '../testing/data-server.ts';
import { check, openHarbour, type Scenario } from './testing/harbour.ts';

let server: DataServer;
beforeAll(async () => {
  server = await openHarbour();
});
afterAll(() => server.close());

const JSON_TYPE = 'application/json; charset=utf-8';
const CSV_TYPE = 'text/csv; charset=utf-8';
const OBJECT = 'application/vnd.pgrst.object+json';
const OBJECT_TYPE = `${OBJECT}; charset=utf-8`;
const STRIPPED = 'application/vnd.pgrst.array+json;nulls=stripped';
const STRIPPED_TYPE = `${STRIPPED}; charset=utf-8`;
const STRIPPED_OBJECT = `${OBJECT};nulls=stripped`;

describe('content negotiation', () => {
  it.each<readonly [accept: string, type: string]>([
    ['application/json', JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['text/unknowntype, */*', JSON_TYPE],
    ['text/csv, */*', CSV_TYPE],
    ['text/csv, application/json', CSV_TYPE],
    ['application/json, text/csv', JSON_TYPE],
    ['text/unknowntype, text/csv', CSV_TYPE],
    ['text/csv;q=0.5, application/json;q=0.9', JSON_TYPE],
    ['text/csv; version=1', CSV_TYPE],
    ['application/json; charset=utf-8', JSON_TYPE],
    ['APPLICATION/JSON', JSON_TYPE],
    ['application/vnd.pgrst.array+json', JSON_TYPE],
    ['application/vnd.pgrst.array', JSON_TYPE],
  ])('responds to Accept: %s with %s', (accept, type) =>
    check(server, { path: '/badges', headers: { accept }, answered: { 'content-type': type } }),
  );

  it.each<Scenario>([
    {
      name: 'returns CSV',
      path: '/flags?select=code,place&order=place',
      headers: { accept: 'text/csv' },
      text: 'code,place\nNO,1\nPT,2\nGR,3',
      answered: { 'content-length': '25' },
    },
    {
      name: 'returns CSV of one row',
      path: '/sailors?select=name,rank&id=eq.2',
      headers: { accept: 'text/csv' },
      text: 'name,rank\nBen,',
    },
    {
      name: 'returns CSV of a function',
      path: '/rpc/buoys_between?first=1&last=3',
      headers: { accept: 'text/csv' },
      text: 'id\n2\n3',
    },
    {
      name: 'returns the OpenAPI document at the root',
      path: '/',
      headers: { accept: 'application/openapi+json' },
      json: expect.objectContaining({ swagger: '2.0' }),
      answered: { 'content-type': 'application/openapi+json; charset=utf-8' },
    },
    {
      name: 'returns the OpenAPI document at the root for */*',
      path: '/',
      headers: { accept: '*/*' },
      answered: { 'content-type': 'application/openapi+json; charset=utf-8' },
    },
    {
      name: 'rejects CSV at the root',
      path: '/',
      headers: { accept: 'text/csv' },
      status: 406,
      json: { code: 'PGRST107' },
    },
    {
      name: 'rejects the type of the OpenAPI document for a table',
      path: '/badges',
      headers: { accept: 'application/openapi+json' },
      status: 406,
      json: { code: 'PGRST107' },
    },
    {
      name: 'omits content-profile with a single schema',
      path: '/badges',
      answered: { 'content-profile': null },
    },
    {
      name: 'rejects an unknown type',
      path: '/badges',
      headers: { accept: 'unknown/unknown' },
      status: 406,
      json: {
        code: 'PGRST107',
        message: expect.stringContaining('unknown/unknown'),
        details: null,
        hint: null,
      },
    },
    {
      name: 'names all unknown types in the error',
      path: '/badges',
      headers: { accept: 'text/unknowntype, image/png' },
      status: 406,
      json: { code: 'PGRST107', message: expect.stringContaining('text/unknowntype, image/png') },
    },
    {
      name: 'rejects an unknown type of a write',
      path: '/badges',
      method: 'POST',
      headers: { accept: 'text/unknowntype' },
      body: { id: 9 },
      status: 406,
      json: { code: 'PGRST107' },
    },
    {
      name: 'returns columns and embedded rows',
      path: '/ships?select=owners(name,id),name&id=eq.1',
      headers: { accept: 'application/json' },
      json: [{ name: 'Albatross', owners: { id: 1, name: 'Fjord Line' } }],
    },
  ])('$name', (scenario) => check(server, scenario));
});

describe('a single-object response', () => {
  const none = {
    code: 'PGRST116',
    message: 'Cannot coerce the result to a single JSON object',
    details: 'The result contains 0 rows',
    hint: null,
  };
  const many = (rows: number) => ({ ...none, details: `The result contains ${rows} rows` });
  const headers = { accept: OBJECT };
  const single = { accept: OBJECT, prefer: 'return=representation' };
  const committed = { accept: OBJECT, prefer: 'tx=commit' };
  const committedHeaders = { accept: OBJECT, prefer: 'tx=commit, return=representation' };

  it.each<Scenario>([
    { name: 'is a list by default', path: '/badges?id=eq.1', json: [{ id: 1 }] },
    {
      name: 'contains the only row',
      path: '/badges?id=eq.1',
      headers,
      json: { id: 1 },
      answered: { 'content-type': OBJECT_TYPE },
    },
    {
      name: 'is returned for the type without +json',
      path: '/badges?id=eq.1',
      headers: { accept: 'application/vnd.pgrst.object' },
      json: { id: 1 },
      answered: { 'content-type': OBJECT_TYPE },
    },
    {
      name: 'has no body for HEAD',
      path: '/badges?id=eq.1',
      method: 'HEAD',
      headers,
      text: '',
      answered: { 'content-type': OBJECT_TYPE },
    },
    {
      name: 'includes the exact total',
      path: '/badges?id=eq.1',
      headers: { ...headers, prefer: 'count=exact' },
      json: { id: 1 },
      answered: { 'content-range': '0-0/1' },
    },
    {
      name: 'contains the only row within a limit',
      path: '/badges?order=id.desc&limit=1',
      headers,
      json: { id: 2 },
    },
    {
      name: 'contains embedded rows',
      path: '/owners?id=eq.1&select=id,ships(id)&ships.order=id',
      headers,
      json: { id: 1, ships: [{ id: 1 }, { id: 3 }] },
    },
    { name: 'is rejected without rows', path: '/badges?id=eq.9', headers, status: 406, json: none },
    { name: 'is rejected for several rows', path: '/buoys', headers, status: 406, json: many(15) },
    {
      name: 'contains the only row of a function',
      path: '/rpc/one_ship?wanted=1&select=id',
      headers,
      json: { id: 1 },
    },
    {
      name: 'contains the only row of a function called by POST',
      path: '/rpc/one_ship?select=id',
      method: 'POST',
      headers,
      body: { wanted: 1 },
      json: { id: 1 },
      answered: { 'content-type': OBJECT_TYPE },
    },
    {
      name: 'is rejected for a function without rows',
      path: '/rpc/one_ship',
      method: 'POST',
      headers,
      body: { wanted: 99 },
      status: 406,
      json: none,
    },
    {
      name: 'is rejected for a function with several rows',
      path: '/rpc/all_ships',
      headers,
      status: 406,
      json: many(6),
    },
    { name: 'contains the value of a scalar function', path: '/rpc/one', headers, json: 1 },
    {
      name: 'contains the updated row',
      path: '/sailors?id=eq.1&select=age',
      method: 'PATCH',
      headers: single,
      body: { age: 1 },
      json: { age: 1 },
      answered: { 'content-type': OBJECT_TYPE },
    },
    {
      name: 'is empty for an update with return=minimal',
      path: '/sailors?id=eq.1',
      method: 'PATCH',
      headers: { accept: OBJECT, prefer: 'return=minimal' },
      body: { age: 1 },
      status: 204,
      text: '',
      answered: { 'content-type': null, 'preference-applied': 'return=minimal' },
    },
    {
      name: 'is rejected for an update of no rows',
      path: '/sailors?id=eq.99',
      method: 'PATCH',
      headers,
      body: { age: 1 },
      status: 406,
      json: none,
    },
    {
      name: 'is rejected for an update of no rows with return=representation',
      path: '/sailors?id=eq.99',
      method: 'PATCH',
      headers: single,
      body: { age: 1 },
      status: 406,
      json: none,
    },
    {
      name: 'is rejected for an update of several rows',
      path: '/sailors',
      method: 'PATCH',
      headers: committed,
      body: { age: 1 },
      status: 406,
      json: many(3),
    },
    {
      name: 'is rejected for an update of several rows with return=representation',
      path: '/sailors',
      method: 'PATCH',
      headers: committedHeaders,
      body: { age: 1 },
      status: 406,
      json: many(3),
    },
    {
      name: 'contains the inserted row',
      path: '/badges',
      method: 'POST',
      headers: single,
      body: [{ id: 9 }],
      status: 201,
      json: { id: 9 },
    },
    {
      name: 'is empty for an insert with return=minimal',
      path: '/badges',
      method: 'POST',
      headers: { accept: OBJECT, prefer: 'return=minimal' },
      body: [{ id: 9 }],
      status: 201,
      text: '',
      answered: { 'content-type': null, 'content-range': '*/*', 'preference-applied': 'return=minimal' },
    },
    {
      name: 'is rejected for an insert of no rows',
      path: '/badges',
      method: 'POST',
      headers,
      body: [],
      status: 406,
      json: none,
    },
    {
      name: 'is rejected for an insert of no rows with return=representation',
      path: '/badges',
      method: 'POST',
      headers: single,
      body: [],
      status: 406,
      json: none,
    },
    {
      name: 'is rejected for an insert of several rows',
      path: '/badges',
      method: 'POST',
      headers: committed,
      body: [{ id: 8 }, { id: 9 }],
      status: 406,
      json: many(2),
    },
    {
      name: 'is rejected for an insert of several rows with return=representation',
      path: '/badges',
      method: 'POST',
      headers: committedHeaders,
      body: [{ id: 8 }, { id: 9 }],
      status: 406,
      json: many(2),
    },
    {
      name: 'contains the deleted row',
      path: '/buoys?id=eq.11',
      method: 'DELETE',
      headers: single,
      json: { id: 11 },
    },
    {
      name: 'is empty for a delete with return=minimal',
      path: '/buoys?id=eq.11',
      method: 'DELETE',
      headers: { accept: OBJECT, prefer: 'return=minimal' },
      status: 204,
      text: '',
    },
    {
      name: 'is rejected for a delete of no rows',
      path: '/buoys?id=eq.99',
      method: 'DELETE',
      headers,
      status: 406,
      json: none,
    },
    {
      name: 'is rejected for a delete of several rows',
      path: '/buoys?id=lt.6',
      method: 'DELETE',
      headers: committed,
      status: 406,
      json: many(5),
    },
    {
      name: 'is rejected for a delete of several rows with return=representation',
      path: '/buoys?id=lt.6',
      method: 'DELETE',
      headers: committedHeaders,
      status: 406,
      json: many(5),
    },
    {
      name: 'is rejected for a function that deletes several rows',
      path: '/rpc/sink_buoys',
      method: 'POST',
      headers: committed,
      body: {},
      status: 406,
      json: many(15),
    },
  ])('$name', (scenario) => check(server, scenario));

  it('rolls back a rejected write', async () => {
    expect((await server.request('/sailors?select=age&order=id')).json).toEqual([
      { age: 12 },
      { age: 10 },
      { age: 40 },
    ]);
    expect((await server.request('/badges?id=gt.2')).json).toEqual([]);
    expect((await server.request('/buoys')).json).toHaveLength(15);
  });
});

describe('nulls=stripped', () => {
  const row = (name: string, rank?: string) => ({ name, ...(rank !== undefined && { rank }) });
  it.each<Scenario>([
    {
      name: 'omits nulls in a list',
      path: '/sailors?select=name,rank&order=id',
      headers: { accept: STRIPPED },
      json: [row('Ada', 'cook'), row('Ben'), row('Cleo', 'mate')],
      answered: { 'content-type': STRIPPED_TYPE },
    },
    {
      name: 'omits nulls in a list without +json',
      path: '/sailors?select=name,rank&order=id',
      headers: { accept: 'application/vnd.pgrst.array;nulls=stripped' },
      json: [row('Ada', 'cook'), row('Ben'), row('Cleo', 'mate')],
      answered: { 'content-type': STRIPPED_TYPE },
    },
    {
      name: 'omits nulls in a single object',
      path: '/sailors?select=name,rank&id=eq.2',
      headers: { accept: STRIPPED_OBJECT },
      json: row('Ben'),
      answered: { 'content-type': `${STRIPPED_OBJECT}; charset=utf-8` },
    },
    {
      name: 'rejects several rows as a single object',
      path: '/sailors',
      headers: { accept: STRIPPED_OBJECT },
      status: 406,
      json: { code: 'PGRST116', details: 'The result contains 3 rows' },
    },
    {
      name: 'omits nested nulls',
      path: '/ships?id=eq.3&select=id,flag,log,owners(id,city)',
      headers: { accept: STRIPPED },
      json: [{ id: 3, flag: 'NO', log: {}, owners: { id: 1, city: 'Bergen' } }],
    },
    {
      name: 'returns an empty object for a row of nulls',
      path: '/sailors?id=eq.2&select=rank',
      headers: { accept: STRIPPED },
      json: [{}],
    },
    {
      name: 'omits nulls of an inserted row',
      path: '/sailors?select=name,rank',
      method: 'POST',
      headers: { accept: STRIPPED, prefer: 'return=representation' },
      body: { name: 'Di', rank: null },
      status: 201,
      json: [row('Di')],
      answered: { 'content-type': STRIPPED_TYPE },
    },
    {
      name: 'omits nulls of an updated row',
      path: '/sailors?id=eq.1&select=name,rank',
      method: 'PATCH',
      headers: { accept: STRIPPED, prefer: 'return=representation' },
      body: { rank: null },
      json: [row('Ada')],
    },
    {
      name: 'is off by default',
      path: '/sailors?select=rank&id=eq.2',
      headers: { accept: 'application/vnd.pgrst.array+json' },
      json: [{ rank: null }],
      answered: { 'content-type': JSON_TYPE },
    },
  ])('$name', (scenario) => check(server, scenario));
});

describe('request bodies', () => {
  it.each<Scenario>([
    {
      name: 'accept JSON',
      path: '/badges',
      headers: { 'content-type': 'application/json' },
      body: { id: 9 },
      status: 201,
    },
    {
      name: 'accept JSON with a charset',
      path: '/badges',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: { id: 9 },
      status: 201,
    },
    { name: 'are JSON by default', path: '/badges', body: { id: 9 }, status: 201 },
    {
      name: 'accept a form',
      path: '/badges',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'id=9',
      status: 201,
    },
    {
      name: 'accept CSV',
      path: '/badges',
      headers: { 'content-type': 'text/csv' },
      body: 'id\n9',
      status: 201,
    },
    {
      name: 'reject plain text',
      path: '/badges',
      headers: { 'content-type': 'text/plain' },
      body: '{"id": 9}',
      status: 400,
      json: { code: 'PGRST102' },
    },
    {
      name: 'reject bytes',
      path: '/badges',
      headers: { 'content-type': 'application/octet-stream' },
      body: '{"id": 9}',
      status: 400,
      json: { code: 'PGRST102' },
    },
    {
      name: 'accept JSON in a JSON string',
      path: '/badges',
      headers: { 'content-type': 'application/json' },
      body: '"{\\"id\\": 9}"',
      status: 201,
      text: '',
    },
    {
      name: 'accept JSON for a function',
      path: '/rpc/needs',
      headers: { 'content-type': 'application/json' },
      body: { argument: 3 },
      json: 3,
    },
    {
      name: 'accept a form for a function',
      path: '/rpc/needs',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'argument=3',
      json: 3,
    },
  ])('$name', (scenario) => check(server, { method: 'POST', ...scenario }));
});
