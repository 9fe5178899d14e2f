/** Names and values that have to be encoded in a URL, or quoted. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { DataServer } from '../testing/data-server.ts';
import { check, openHarbour, type Scenario } from './testing/harbour.ts';

let server: DataServer;
beforeAll(async () => {
  server = await openHarbour({ PGRST_DB_SCHEMAS: 'public,порт' });
  await server.change(
    `create schema "порт";
     create table "порт"."причал" (id int primary key, "имя" text);
     grant usage on schema "порт" to anon;
     grant all on all tables in schema "порт" to anon;
     create table shares (id int primary key, "100%" int);
     insert into shares values (1, 5), (2, 6);
     grant all on shares to anon`,
  );
});
afterAll(() => server.close());

const encoded = encodeURIComponent;

describe('names in a URL', () => {
  it.each<Scenario>([
    {
      name: 'may have encoded non-Latin letters',
      path: `/${encoded('склад')}?${encoded('груз')}=eq.${encoded('соль')}`,
      json: [{ id: 1, груз: 'соль' }],
    },
    {
      name: 'may have unencoded non-Latin letters',
      path: '/склад?select=груз',
      json: [{ груз: 'соль' }],
      answered: { 'content-location': `/${encoded('склад')}?select=${encoded('груз')}` },
    },
    {
      name: 'may have encoded spaces',
      path: '/Cargo%20Items?select=id&Unit%20Price=lt.200',
      json: [{ id: 1 }],
    },
    {
      name: 'may have plus signs for spaces',
      path: '/Cargo%20Items?select=Unit+Price&id=eq.1',
      json: [{ 'Unit Price': 150 }],
    },
    {
      name: 'may begin and end with spaces if quoted',
      path: `/Cargo%20Items?select=${encoded('"  wide  "')}&id=eq.1`,
      json: [{ '  wide  ': 3 }],
    },
    {
      name: 'may have a dot if quoted',
      path: '/Cargo%20Items?select=id&%22weight.net%22=gt.10',
      json: [{ id: 2 }],
    },
    {
      name: 'may have a dot if quoted in logical operators',
      path: '/Cargo%20Items?select=id&or=(%22weight.net%22.eq.10,id.eq.9)',
      json: [{ id: 1 }],
    },
    {
      name: 'may have a dot if quoted in order',
      path: '/Cargo%20Items?select=id&order=%22weight.net%22.desc',
      json: [{ id: 2 }, { id: 1 }],
    },
    {
      name: 'may have all reserved characters if quoted',
      path: `/Cargo%20Items?select=${encoded('":in->out::text","(gross)",net:"weight.net"')}&${encoded('"*any*"')}=eq.7`,
      json: [{ ':in->out::text': 1, '(gross)': 12, net: 10 }],
    },
    {
      name: 'may have percent signs that are not encoded',
      path: '/shares?select="100%"&"100%"=eq.5',
      json: [{ '100%': 5 }],
      answered: { 'content-location': '/shares?%22100%25%22=eq.5&select=%22100%25%22' },
    },
    { name: 'may have dollar signs', path: '/tariff$2?select=rate$&rate$=eq.100', json: [{ rate$: 100 }] },
    {
      name: 'may have dashes',
      path: '/Cargo%20Items?select=kind-of_ware&kind-of_ware=like.b*x',
      json: [{ 'kind-of_ware': 'box' }],
    },
    {
      name: 'may have escaped quotes and backslashes',
      path: `/${encoded('odd "name')}?select=${encoded('"co\\"l","a\\\\b",x:"it\'s"')}`,
      method: 'POST',
      headers: { prefer: 'return=representation' },
      body: { 'co"l': 1, 'a\\b': 'q', "it's": 'z' },
      status: 201,
      json: [{ 'co"l': 1, 'a\\b': 'q', x: 'z' }],
    },
    { name: 'may have mixed case', path: '/Camel%20Case?select=theId&theName=eq.one', json: [{ theId: 1 }] },
    { name: 'include an encoded slash', path: '/ships%2Fowners', status: 404, json: { code: 'PGRST205' } },
  ])('$name', (scenario) => check(server, scenario));

  it('may have non-Latin letters in the profile headers', async () => {
    const table = `/${encoded('причал')}`;
    const schema = Buffer.from('порт').toString('latin1');
    const write = { 'content-profile': schema, prefer: 'return=representation' };
    await check(server, { path: table, headers: { 'accept-profile': schema }, json: [] });
    await check(server, {
      path: table,
      method: 'POST',
      headers: write,
      body: { id: 1, имя: 'а' },
      status: 201,
      json: [{ id: 1, имя: 'а' }],
      answered: { 'content-profile': schema },
    });
  });
});

describe('values in a URL', () => {
  it.each<readonly [query: string, ids: readonly number[]]>([
    ['name=in.("Vane, Cora")', [1]],
    ['name=in.(%22Vane,%20Cora%22,%22Holt,%20Ed%22)', [1, 2]],
    ['name=in.(Plain Jo,"Holt, Ed")', [2, 3]],
    ['name=not.in.("Vane, Cora","Holt, Ed",Plain Jo)&id=lt.6', [4, 5]],
    ['name=in.("Seven (7)")', [7]],
    ['name=in.("Says \\"aye\\"")', [4]],
    ['name=in.("\\\\")', [5]],
    ['name=in.("/\\\\Tar/\\\\")', [6]],
    ['name=in.("Pl\\ain J\\o")', [3]],
    ['name=in.(")', [8]],
    ['name=in.(Says "aye")', [4]],
    ['name=in.(\\)', [5]],
    ['name=in.(/\\Tar/\\)', [6]],
    ['name=in.("")', [9]],
    ['name=in.("",x)', [9]],
    ['name=eq.Vane, Cora', [1]],
    ['name=eq.Seven (7)', [7]],
    ['name=eq."Vane, Cora"', []],
    ['name=eq.Dot.Dot', [10]],
    ['name=like.Dot.*', [10]],
    ['or=(name.eq."Vane, Cora",name.eq."Seven (7)")', [1, 7]],
    ['or=(name.like."*, *",name.ilike."*(7)")', [1, 2, 7]],
    ['or=(name.eq.Dot.Dot,name.eq.Plain Jo)', [3, 10]],
    ['or=(name.eq."Says \\"aye\\"",name.eq."\\\\")', [4, 5]],
    ['name=eq.Star*', [11]],
    ['name=eq.Plain+Jo', [3]],
    ['name=eq.Plain%20Jo', [3]],
    ['name=eq.Plain%2BJo', []],
    ['name=like.Plain%', [3]],
    ['name=like.%lain%', [3]],
    ['name=like.%25lain%25', [3]],
    ['or=(name.like.%lain%,name.like.Dot%)', [3, 10]],
    ['name=in.(Plain Jo,100%)', [3]],
  ])('%s selects the ids %j', (query, ids) =>
    check(server, {
      path: `/captains?select=id&order=id&${query}`,
      json: ids.map((id) => ({ id })),
    }),
  );

  it.each<Scenario>([
    {
      name: 'an unterminated list',
      path: '/captains?name=in.("Vane, Cora"',
      status: 400,
      json: { code: 'PGRST100' },
    },
    {
      name: 'a list without parentheses',
      path: '/captains?name=in.Vane',
      status: 400,
      json: { code: 'PGRST100' },
    },
    {
      name: 'an unterminated name',
      path: '/captains?%22name=eq.x',
      status: 400,
      json: { code: 'PGRST100' },
    },
  ])('reject $name', (scenario) => check(server, scenario));
});
