/** Which rows are read: operators, modifiers, logic, full-text search, fields within JSON, composites and arrays. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DataServer } from '../testing/data-server.ts';
import { check, openHarbour, type Scenario } from './testing/harbour.ts';

let server: DataServer;
beforeAll(async () => {
  server = await openHarbour();
});
afterAll(() => server.close());

/** A filter, and the ships that are left. */
type Row = readonly [query: string, ids: readonly number[]];

function eachShips(rows: readonly Row[]): void {
  it.each(rows)('%s selects the ids %j', (query, ids) =>
    check(server, {
      path: `/ships?select=id&order=id&${query}`,
      json: ids.map((id) => ({ id })),
      answered: { 'content-range': ids.length === 0 ? '*/*' : `0-${ids.length - 1}/*` },
    }),
  );
}

describe('filter operators', () => {
  eachShips([
    ['crew=lt.12', [2, 5]],
    ['crew=gte.10&in_service=is.true', [1]],
    ['id=eq.5', [5]],
    ['id=not.eq.5', [1, 2, 3, 4, 6]],
    ['flag=neq.NO', [2, 4, 5]],
    ['crew=gt.12', [3, 6]],
    ['crew=lte.7', [2, 5]],
    ['crew=not.lt.12', [1, 3, 4, 6]],
    ['crew=not.gt.7', [2, 5]],
    ['tonnage=gte.640.25&tonnage=lt.4000', [1, 4]],
    ['launched=lt.1990-01-01', [1, 3]],
    ['name=like.O*', [4, 5]],
    ['name=like.O%25n', [5]],
    ['name=like.*OR*', []],
    ['name=not.like.*n*', [1, 4]],
    ['name=ilike.*OR*', [3]],
    ['name=not.ilike.*o*', [6]],
    ['name=match.^[AB]', [1, 2]],
    ['name=not.match.[st]', [5, 6]],
    ['name=imatch.^o', [4, 5]],
    ['name=imatch.o.*o', [2, 3]],
    ['id=in.(1,3,6)', [1, 3, 6]],
    ['id=not.in.(1,3,6)', [2, 4, 5]],
    ['id=in.( 2 , 4 )', [2, 4]],
    ['flag=is.null', [6]],
    ['flag=not.is.null', [1, 2, 3, 4, 5]],
    ['flag=is.not_null', [1, 2, 3, 4, 5]],
    ['flag=not.is.not_null', [6]],
    ['in_service=is.true', [1, 2, 5]],
    ['in_service=is.false', [3, 6]],
    ['in_service=is.unknown', [4]],
    ['in_service=is.NULL', [4]],
    ['in_service=is.NoT_NuLl', [1, 2, 3, 5, 6]],
    ['in_service=is.UnKnown', [4]],
    ['in_service=not.is.TRUE', [3, 4, 6]],
    ['flag=isdistinct.NO', [2, 4, 5, 6]],
    ['flag=not.isdistinct.NO', [1, 3]],
    ['flag=eq.', []],
    ['crew=gt.5&crew=lt.20', [1, 4, 5]],
  ]);
});

describe('filter operators of arrays and ranges', () => {
  eachShips([
    ['holds=cs.{salt}', [1, 3]],
    ['holds=cs.{timber,salt}', [1, 3]],
    ['holds=cd.{fish,coal}', [2, 4, 6]],
    ['holds=ov.{fish,coal}', [2, 3, 6]],
    ['decks=eq.{2,4,6}', [3]],
    ['decks=neq.{1}', [1, 3, 4, 6]],
    ['decks=lt.{2}', [2, 4]],
    ['decks=gt.{3,4}', [1, 6]],
    ['decks=lte.{2,4,6}', [2, 3, 4]],
    ['decks=isdistinct.{}', [1, 2, 3, 5, 6]],
    ['decks=not.cs.{1}', [1, 3, 4, 6]],
    ['moored=ov.[3,5]', [1, 2]],
    ['moored=cs.[4,5]', [2]],
    ['moored=cd.[0,8)', [1, 2]],
    ['moored=sl.[12,20)', [1, 2, 3]],
    ['moored=sr.(1,6)', [3, 4]],
    ['moored=nxr.[4,8)', [1, 2]],
    ['moored=nxl.[4,8)', [3, 4]],
    ['moored=adj.[12,15)', [3]],
    ['moored=eq.[7,11]', [3]],
    ['moored=isdistinct.[1,3]', [2, 3, 4, 5, 6]],
  ]);
});

describe('the modifiers any and all', () => {
  eachShips([
    ['name=like(any).{O*,P*}', [4, 5, 6]],
    ['name=like(all).{O*,*n}', [5]],
    ['name=ilike(any).{*QUE*,b%25}', [2]],
    ['name=ilike(all).{*o*,*N*}', [2, 3, 5]],
    ['id=eq(any).{1,4}', [1, 4]],
    ['crew=eq(all).{12,12}', [1, 4]],
    ['crew=gt(all).{12,7}', [3, 6]],
    ['crew=gte(any).{30,55}', [3, 6]],
    ['crew=lt(any).{5,8}', [2, 5]],
    ['crew=lte(all).{7,12}', [2, 5]],
    ['name=match(any).{^A,y$}', [1, 4]],
    ['name=imatch(all).{^o,N$}', [5]],
    ['name=not.like(any).{O*,P*}', [1, 2, 3]],
    ['or=(name.like(any).{A*,B*},id.eq(any).{6})', [1, 2, 6]],
  ]);
});

describe('logical operators', () => {
  eachShips([
    ['or=(crew.lt.10,crew.gt.40)', [2, 5, 6]],
    ['not.or=(crew.lt.10,crew.gt.40)', [1, 3, 4]],
    ['not.and=(id.gte.2,id.lte.5)', [1, 6]],
    ['crew=gte.7&in_service=is.true&or=(crew.eq.7,not.and(crew.gte.11,crew.lte.17))', [5]],
    ['or=(id.eq.1)', [1]],
    ['and=(id.eq.1)', [1]],
    ['or=(and(flag.eq.NO,id.eq.3),and(flag.eq.PT,id.eq.2))', [2, 3]],
    ['and=(id.in.(1,2,3),or(crew.eq.4,not.or(crew.eq.12,crew.eq.4)))', [2, 3]],
    ['and=(id.gt.1,flag.eq.NO)&or=(id.eq.1,id.eq.3)', [3]],
    ['or=(id.in.(1,2),id.in.(5,6))', [1, 2, 5, 6]],
    ['or=(id.in.("1","2"),name.in.("Oden",Osprey))', [1, 2, 4, 5]],
    ['or=(name.like.*s,name.ilike.pel*)', [1, 6]],
    ['or=(name.eq."Oden",name.like."O*y")', [4, 5]],
    ['and=(flag.is.null,tonnage.gt.0)', [6]],
    ['and=(flag.not.is.null,in_service.is.null)', [4]],
    ['or=(decks.cs.{2,4},decks.cd.{1,3})', [2, 3, 4]],
    ['or=(moored.adj."[7,9)",moored.cs."[14,15]")', [2, 4]],
    ['and=(holds.not.cs.{salt},id.not.eq.2,name.not.like.P*)', [4]],
    ['and=(id.gte.2,flag.isdistinct.GR)', [2, 3, 6]],
    ['and=( or ( id.in.( 1, 2, 3 ) , id.eq.6 ) , or ( id.eq.2 , id.eq.6 ) )', [2, 6]],
    ['or=(papers->>class.eq.B,papers->age.gt.30)', [2, 3]],
    ['or=(spot->>lat.eq.60.1,id.eq.2)', [2]],
    ['and=(id.eq.1,id.neq.2))', [1]],
  ]);

  it.each<Scenario>([
    { name: 'an empty condition list', path: '/ships?or=()' },
    { name: 'or without parentheses', path: '/ships?or=id.eq.1' },
    { name: 'an unknown logical operator', path: '/ships?and=(xor(id.eq.1,id.eq.2))' },
    { name: 'in without parentheses', path: '/ships?or=(id.in.1,2,id.eq.3)' },
    { name: 'an unknown operator', path: '/ships?id=equals.1' },
    { name: 'a missing operator', path: '/ships?id=1' },
    { name: 'an invalid value of is', path: '/ships?in_service=is.nil' },
    { name: 'an unknown modifier', path: '/ships?id=eq(some).{1}' },
    { name: 'a modifier of an operator that has none', path: '/ships?id=neq(any).{1}' },
    { name: 'an empty modifier', path: '/ships?id=eq().{1}' },
    { name: 'an empty text search configuration', path: '/ships?words=fts().fun' },
    { name: 'an unquoted range', path: '/ships?or=(moored.ov.[1,2],id.eq.6)' },
    { name: 'a cast of the column', path: '/ships?id::text=eq.1' },
  ])('reject $name', (scenario) => check(server, { ...scenario, status: 400, json: { code: 'PGRST100' } }));
});

describe('full-text search', () => {
  eachShips([
    ['words=fts(english).impossible', [3]],
    ['words=fts(english).fun%26possible', [2]],
    ['words=fts(english).impossible%7Cpossible', [2, 3]],
    ['words=fts(english).fun%26!possible', [3]],
    ['words=fts(french).amusant', [4]],
    ['words=plfts(english).The%20Grey%20Cats', [1]],
    ['words=plfts(english).cat%20grey', [1]],
    ['words=phfts(english).The%20Grey%20Cats', [1]],
    ['words=phfts(english).cat%20grey', []],
    ['words=phfts(german).Kunst%20haben', [6]],
    ['words=phfts(german).Spass%20Kunst', []],
    ['words=wfts(english).fun%20-possible', [3]],
    ['words=wfts(english).impossible%20or%20rats', [1, 3]],
    ['words=not.fts(english).fun%7Ccats', [4, 6]],
    ['words=not.plfts(english).grey%20cats', [2, 3, 4, 6]],
    ['words=not.phfts(english).The%20Grey%20Cats', [2, 3, 4, 6]],
    ['words=not.wfts(french).amusant', [1, 2, 3, 6]],
    ['words=plfts.chased', [1]],
    ['or=(words.fts(french).amusant,words.plfts(german).kunst,words.not.wfts(english).fun)', [1, 4, 6]],
    ['story=fts(french).amusant', [4]],
    ['story=fts(english).impossible', [3]],
    ['story=not.phfts(english).The%20Grey%20Cats', [2, 3, 4, 6]],
    ['story=wfts(english).fun%20possible', [2]],
    ['papers=fts(english).Lund', [1]],
    ['log=plfts(english).Rocha', [2]],
    ['log=not.phfts(english).Rocha', [1, 3]],
    ['papers->>class=fts(english).b', [2]],
    ['or=(story.plfts(german).Kunst,log.fts(english).Rocha)', [2, 6]],
  ]);

  it('returns the error of PostgreSQL for an unknown configuration', () =>
    check(server, {
      path: '/ships?words=fts(klingon).x',
      status: 400,
      json: { code: '42704', message: 'text search configuration "klingon" does not exist' },
    }));
});

describe('filters on JSON, composite and array fields', () => {
  eachShips([
    ['papers->>class=eq.A1', [1, 3]],
    ['papers->>class=not.eq.A1', [2]],
    ['papers->age=gt.20', [2, 3]],
    ['papers->age=eq.25', [2]],
    ['papers->>class=is.null', [4, 5, 6]],
    ['papers->checks->0->>by=eq.Lund', [1]],
    ['papers->checks->-1->>by=eq.Marsh', [1]],
    ['papers->checks=eq.[]', [3]],
    ['papers=eq.{"class":"B","age":25,"checks":[{"year":2020,"by":"Rocha"}]}', [2]],
    ['papers->checks->0=eq.{"year":2020,"by":"Rocha"}', [2]],
    ['papers->odd!@%23$%25^%26*key->in!side=eq.3', [4]],
    ['papers->1->>2=eq.13', [6]],
    ['papers->-1->>-3=eq.11', [6]],
    ['papers=cs.{"class":"A1"}', [1, 3]],
    ['log->>pilot=in.(Lund,Rocha)', [1, 2]],
    ['log->sea->>wind=eq.5', [1]],
    ['spot->>lat=eq.38.700000', [2]],
    ['spot->lat=gte.60', [1, 3]],
    ['decks->0=eq.9', [6]],
    ['decks->>1=eq.5', [1]],
    ['decks->-1=eq.6', [3]],
  ]);
});

describe('reads with unusual columns and values', () => {
  it.each<Scenario>([
    {
      name: 'accept columns that begin with and or or',
      path: '/Cargo%20Items?select=id&or=(and_so_on.eq.2,or_not.eq.9)',
      json: [{ id: 2 }],
    },
    {
      name: 'return a column called count',
      path: '/Cargo%20Items?select=id,count&id=eq.1',
      json: [{ id: 1, count: 5 }],
    },
    { name: 'return a column called t', path: '/Cargo%20Items?select=t&id=eq.1', json: [{ t: 6 }] },
    {
      name: 'keep the order of a view',
      path: '/working_ships?select=id',
      json: [6, 1, 5, 2].map((id) => ({ id })),
    },
    { name: 'match an empty text', path: '/captains?select=id&name=eq.', json: [{ id: 9 }] },
    { name: 'match no row with an empty list of texts', path: '/ships?flag=in.()', json: [] },
    { name: 'match no row with an empty list of numbers', path: '/ships?crew=in.()', json: [] },
    { name: 'match no row with an empty list of booleans', path: '/ships?in_service=in.(   )', json: [] },
    { name: 'match no row with an empty list of dates', path: '/ships?launched=in.()', json: [] },
    {
      name: 'match all rows with a negated empty list',
      path: '/ships?select=id&crew=not.in.()&id=eq.1',
      json: [{ id: 1 }],
    },
    {
      name: 'reject an empty element of a list of numbers',
      path: '/ships?crew=in.( ,3,4)',
      status: 400,
      json: {
        code: '22P02',
        message: 'invalid input syntax for type integer: ""',
        details: null,
        hint: null,
      },
    },
    {
      name: 'reject a value of another type',
      path: '/ships?crew=eq.many',
      status: 400,
      json: { code: '22P02', message: 'invalid input syntax for type integer: "many"' },
    },
    {
      name: 'reject a pattern for a number',
      path: '/ships?crew=like.1*',
      status: 404,
      json: { code: '42883', message: 'operator does not exist: integer ~~ unknown' },
    },
    {
      name: 'reject an unknown column',
      path: '/ships?captain=eq.1',
      status: 400,
      json: { code: '42703', message: 'column ships.captain does not exist' },
    },
    {
      name: 'reject an invalid regular expression',
      path: '/ships?name=match.(',
      status: 400,
      json: { code: '2201B' },
    },
  ])('$name', (scenario) => check(server, scenario));

  it.each<Scenario>([
    {
      name: 'a relation that is not embedded',
      path: '/ships?select=id&harbours.name=eq.x',
      json: {
        code: 'PGRST108',
        message: "'harbours' is not an embedded resource in this request",
        details: null,
        hint: expect.stringContaining("'harbours'"),
      },
    },
    {
      name: 'a relation that is embedded at another level',
      path: '/owners?select=id,ships(id,calls(id))&ships.pilots.name=eq.x',
      json: { code: 'PGRST108', message: "'pilots' is not an embedded resource in this request" },
    },
    {
      name: 'an unknown alias',
      path: '/owners?select=id,fleet:ships(id)&flet.name=eq.x',
      json: { code: 'PGRST108', message: "'flet' is not an embedded resource in this request" },
    },
  ])('reject a condition on $name', (scenario) => check(server, { ...scenario, status: 400 }));
});

describe('filters on embedded rows', () => {
  it.each<Scenario>([
    {
      name: 'apply two levels down',
      path: '/owners?select=id,ships(id,calls(id))&ships.calls.remark=eq.rain&ships.flag=eq.PT&id=eq.2',
      json: [{ id: 2, ships: [{ id: 2, calls: [{ id: 3 }] }] }],
    },
    {
      name: 'support or',
      path: '/owners?select=id,ships(id)&ships.or=(id.eq.3,name.eq.Bonito)&order=id',
      json: [
        { id: 1, ships: [{ id: 3 }] },
        { id: 2, ships: [{ id: 2 }] },
        { id: 3, ships: [] },
      ],
    },
    {
      name: 'support a negated and',
      path: '/owners?select=id,ships(id)&ships.not.and=(id.gte.1,id.lte.2)&id=eq.1',
      json: [{ id: 1, ships: [{ id: 3 }] }],
    },
    {
      name: 'support or three levels down',
      path: '/owners?select=id,fleet:ships(calls(id,pilots(name)))&fleet.calls.pilots.or=(name.eq.Rocha,id.eq.9)&fleet.id=eq.1&id=eq.1',
      json: [
        {
          id: 1,
          fleet: [
            {
              calls: [
                { id: 1, pilots: [] },
                { id: 2, pilots: [{ name: 'Rocha' }] },
              ],
            },
          ],
        },
      ],
    },
    {
      name: 'apply to each alias of a relation separately',
      path: '/owners?select=id,old:ships(id),new:ships(id)&old.launched=lt.1980-01-01&new.launched=gte.1980-01-01&id=eq.1',
      json: [{ id: 1, old: [{ id: 3 }], new: [{ id: 1 }] }],
    },
  ])('$name', (scenario) => check(server, scenario));
});
