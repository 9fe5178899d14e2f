/** Domains whose values look different in JSON and in URLs from what they are in the database. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DataServer } from '../testing/data-server.ts';
import { check, openHarbour, type Scenario } from './testing/harbour.ts';

let server: DataServer;
beforeAll(async () => {
  server = await openHarbour();
});
afterAll(() => server.close());

const first = { id: 1, name: 'One', number: 'HN-0007', laid: '2024-01-02T03:04Z' };
const second = { id: 2, name: 'Two', number: 'HN-1234', laid: null };
const third = { id: 3, name: 'Three', number: 'none', laid: null };
const REPRESENTATION = { prefer: 'return=representation' };

describe('domain representations in responses', () => {
  it.each<Scenario>([
    { name: 'format one column', path: '/hulls?select=number&id=eq.1', json: [{ number: 'HN-0007' }] },
    {
      name: 'format two columns',
      path: '/hulls?select=id,number,laid&id=lt.3&order=id',
      json: [
        { id: 1, number: 'HN-0007', laid: first.laid },
        { id: 2, number: 'HN-1234', laid: null },
      ],
    },
    { name: 'format all columns', path: '/hulls?order=id', json: [first, second, third] },
    { name: 'format all columns of select=*', path: '/hulls?select=*&id=eq.3', json: [third] },
    { name: 'format a column selected next to *', path: '/hulls?select=laid,*&id=eq.1', json: [first] },
    {
      name: 'format a column with an alias',
      path: '/hulls?select=no:number&id=eq.1',
      json: [{ no: 'HN-0007' }],
    },
    {
      name: 'format a value before it is cast',
      path: '/hulls?select=no:number::text&id=eq.1',
      json: [{ no: '"HN-0007"' }],
    },
    {
      name: 'format the columns of a view',
      path: '/hulls_view?select=number,half&id=eq.2',
      json: [{ number: 'HN-1234', half: 'HN-0617' }],
    },
    {
      name: 'format columns of an embedding',
      path: '/fleets?select=id,hulls(number,laid)&order=id',
      json: [
        { id: 1, hulls: { number: 'HN-1234', laid: null } },
        { id: 2, hulls: { number: 'HN-0007', laid: first.laid } },
      ],
    },
    {
      name: 'format all columns of an embedding',
      path: '/fleets?select=lead:hulls(*)&id=eq.2',
      json: [{ lead: first }],
    },
    {
      name: 'format columns of a spread embedding',
      path: '/fleets?select=id,...hulls(number)&id=eq.2',
      json: [{ id: 2, number: 'HN-0007' }],
    },
    { name: 'format the rows of a function', path: '/rpc/all_hulls?number=eq.HN-0007', json: [first] },
    {
      name: 'format values in CSV',
      path: '/hulls?select=id,number&id=eq.1',
      headers: { accept: 'text/csv' },
      text: 'id,number\n1,"""HN-0007"""',
    },
    {
      name: 'are ordered by the stored values',
      path: '/hulls?select=id&order=number.desc.nullslast',
      json: [{ id: 2 }, { id: 1 }, { id: 3 }],
    },
    {
      name: 'report an unknown column',
      path: '/hulls?select=number,banana',
      status: 400,
      json: { code: '42703', message: 'column hulls.banana does not exist' },
    },
  ])('$name', (scenario) => check(server, scenario));
});

describe('domain representations in filters', () => {
  it.each<readonly [filter: string, ids: readonly number[]]>([
    ['number=eq.HN-0007', [1]],
    ['number=eq.7', [1]],
    ['number=neq.HN-0007', [2]],
    ['number=gt.HN-0007', [2]],
    ['number=in.(HN-0007,1234)', [1, 2]],
    ['number=not.in.(HN-0007)', [2]],
    ['number=is.null', [3]],
    ['or=(number.eq.HN-1234,id.eq.3)', [2, 3]],
    ['laid=eq.2024-01-02T03:04Z', [1]],
  ])('parse %s and select the ids %j', (filter, ids) =>
    check(server, {
      path: `/hulls?select=id&order=id&${filter}`,
      json: ids.map((id) => ({ id })),
    }),
  );

  it.each<Scenario>([
    {
      name: 'filter embedded rows',
      path: '/fleets?select=id,hulls(number)&hulls.number=neq.HN-1234&order=id',
      json: [
        { id: 1, hulls: null },
        { id: 2, hulls: { number: 'HN-0007' } },
      ],
    },
    {
      name: 'return the error of the parser',
      path: '/hulls?number=eq.HN-x',
      status: 400,
      json: { code: '22P02', message: 'invalid input syntax for type integer: "x"' },
    },
    {
      name: 'return the error of the base type without a parser',
      path: '/hulls?laid=eq.Z',
      status: 400,
      json: { code: '22007' },
    },
    {
      name: 'return the error of PostgreSQL for an operator that the type lacks',
      path: '/hulls?number=ilike.*7',
      status: 404,
      json: { code: '42883', message: 'operator does not exist: hull ~~* unknown' },
    },
  ])('$name', (scenario) => check(server, scenario));
});

describe('domain representations in bodies', () => {
  const sent = { id: 9, name: 'Nine', number: 'HN-0099', laid: '2024-05-06T07:08Z' };
  it.each<Scenario>([
    {
      name: 'parse the row of a POST',
      path: '/hulls',
      method: 'POST',
      headers: REPRESENTATION,
      body: sent,
      status: 201,
      json: [sent],
    },
    {
      name: 'parse the rows of a POST with a list',
      path: '/hulls?select=number',
      method: 'POST',
      headers: REPRESENTATION,
      body: [sent, { ...sent, id: 10, number: 5 }],
      status: 201,
      json: [{ number: 'HN-0099' }, { number: 'HN-0005' }],
    },
    {
      name: 'parse the row of a POST with headers-only',
      path: '/hulls',
      method: 'POST',
      headers: { prefer: 'return=headers-only' },
      body: sent,
      status: 201,
      answered: { location: '/hulls?id=eq.9' },
    },
    {
      name: 'parse the listed columns of a POST',
      path: '/hulls?columns=id,number&select=id,name,number',
      method: 'POST',
      headers: REPRESENTATION,
      body: { ...sent, laid: 'not read' },
      status: 201,
      json: [{ id: 9, name: null, number: 'HN-0099' }],
    },
    {
      name: 'reject unknown columns of a POST',
      path: '/hulls?columns=id,helicopters',
      method: 'POST',
      body: { number: 'not read' },
      status: 400,
      json: {
        code: 'PGRST204',
        message: "Could not find the 'helicopters' column of 'hulls' in the schema cache",
      },
    },
    {
      name: 'parse the row of a PATCH',
      path: '/hulls?id=eq.2&select=id,number',
      method: 'PATCH',
      headers: REPRESENTATION,
      body: { number: 'HN-0002' },
      json: [{ id: 2, number: 'HN-0002' }],
    },
    {
      name: 'parse the row of a PATCH of several rows',
      path: '/hulls?id=lt.3&select=number,laid&order=id',
      method: 'PATCH',
      headers: REPRESENTATION,
      body: { number: 'HN-0002', laid: sent.laid },
      json: [
        { number: 'HN-0002', laid: sent.laid },
        { number: 'HN-0002', laid: sent.laid },
      ],
      answered: { 'content-range': '0-1/*' },
    },
    {
      name: 'select the rows of a PATCH by the formatted value',
      path: '/hulls?number=eq.HN-1234&select=id',
      method: 'PATCH',
      headers: REPRESENTATION,
      body: { number: 'HN-0002' },
      json: [{ id: 2 }],
    },
    {
      name: 'parse the row of a PATCH of a view',
      path: '/hulls_view?id=eq.2&columns=number',
      method: 'PATCH',
      headers: REPRESENTATION,
      body: { number: 'HN-0002', half: 'x' },
      json: [{ id: 2, name: 'Two', number: 'HN-0002', laid: null, half: 'HN-0001' }],
    },
    {
      name: 'parse the row of a PUT',
      path: '/hulls?id=eq.2&select=number',
      method: 'PUT',
      headers: REPRESENTATION,
      body: { ...sent, id: 2 },
      json: [{ number: 'HN-0099' }],
    },
    {
      name: 'format the rows of a DELETE',
      path: '/hulls?id=eq.3&select=number',
      method: 'DELETE',
      headers: REPRESENTATION,
      json: [{ number: 'none' }],
    },
  ])('$name', (scenario) => check(server, scenario));

  it('store the parsed values', async () => {
    await check(server, {
      path: '/hulls',
      method: 'POST',
      headers: { prefer: 'tx=commit' },
      body: sent,
      status: 201,
    });
    const rows = await server.database.admin.query({ text: 'select number, laid from hulls where id = 9' });
    expect(rows).toEqual([{ number: 99, laid: new Date(sent.laid) }]);
    await check(server, {
      path: '/hulls?number=eq.HN-0099',
      method: 'DELETE',
      headers: { prefer: 'tx=commit' },
      status: 204,
    });
  });
});
