/** Functions of a row that are used as if they were its columns. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DataServer } from '../testing/data-server.ts';
import { check, openHarbour, type Scenario } from './testing/harbour.ts';

let server: DataServer;
beforeAll(async () => {
  server = await openHarbour({ PGRST_DB_EXTRA_SEARCH_PATH: 'helpers' });
  await server.change(
    `create schema helpers;
     create function helpers.shout(public.ships) returns text immutable language sql as $$ select upper($1.name) $$;
     grant usage on schema helpers to anon`,
  );
});
afterAll(() => server.close());

describe('a computed field', () => {
  it.each<Scenario>([
    {
      name: 'is selected',
      path: '/ships?select=title,crew&id=eq.1',
      json: [{ title: 'Albatross of NO', crew: 12 }],
    },
    {
      name: 'is selected under an alias, and cast',
      path: '/ships?select=first:is_first::text&id=eq.1',
      json: [{ first: 'true' }],
    },
    { name: 'is searched', path: '/ships?select=id&title=plfts(simple).bonito', json: [{ id: 2 }] },
    { name: 'is compared', path: '/ships?select=id&is_first=eq.true', json: [{ id: 1 }] },
    {
      name: 'is compared in logic',
      path: '/ships?select=id&or=(title.like.*PT,is_first.is.true)&order=id',
      json: [{ id: 1 }, { id: 2 }],
    },
    {
      name: 'is ordered by',
      path: '/ships?select=id&order=title.desc.nullslast&limit=3',
      json: [{ id: 4 }, { id: 5 }, { id: 3 }],
    },
    {
      name: 'is of one relation, though another has one of its name',
      path: '/owners?select=title&id=eq.1',
      json: [{ title: 'Fjord Line, Bergen' }],
    },
    {
      name: 'is of embedded rows',
      path: '/owners?select=title,ships(title)&id=eq.1&ships.order=title',
      json: [
        { title: 'Fjord Line, Bergen', ships: [{ title: 'Albatross of NO' }, { title: 'Cormorant of NO' }] },
      ],
    },
    {
      name: 'is of embedded rows, compared',
      path: '/owners?select=id,ships(id)&id=eq.1&ships.is_first=is.true',
      json: [{ id: 1, ships: [{ id: 1 }] }],
    },
    {
      name: 'is of the rows of a function',
      path: '/rpc/one_ship?wanted=1&select=id,title',
      json: [{ id: 1, title: 'Albatross of NO' }],
    },
    {
      name: 'is of the rows of a function, compared',
      path: '/rpc/all_ships?select=id&is_first=is.true',
      json: [{ id: 1 }],
    },
    {
      name: 'is in a schema that is searched',
      path: '/ships?select=shout&id=eq.1',
      json: [{ shout: 'ALBATROSS' }],
    },
    {
      name: 'is in a schema that is not searched',
      path: '/ships?select=hidden_title',
      status: 400,
      json: { code: '42703', message: 'column ships.hidden_title does not exist' },
    },
    {
      name: 'is in a schema that is not searched, compared',
      path: '/ships?hidden_title=eq.hidden',
      status: 400,
      json: { code: '42703' },
    },
    {
      name: 'cannot be called where its parameter has no name',
      path: '/rpc/title',
      status: 404,
      json: { code: 'PGRST202' },
    },
  ])('$name', (scenario) => check(server, scenario));

  it('is no part of all columns', async () => {
    const [ship] = (await server.ask('/ships?id=eq.1')).json as [object];
    expect(Object.keys(ship)).not.toContain('title');
  });
});
