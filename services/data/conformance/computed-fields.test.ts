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
      name: 'is returned when selected',
      path: '/ships?select=title,crew&id=eq.1',
      json: [{ title: 'Albatross of NO', crew: 12 }],
    },
    {
      name: 'is returned under an alias and with a cast',
      path: '/ships?select=first:is_first::text&id=eq.1',
      json: [{ first: 'true' }],
    },
    {
      name: 'filters rows by full-text search',
      path: '/ships?select=id&title=plfts(simple).bonito',
      json: [{ id: 2 }],
    },
    { name: 'filters rows by equality', path: '/ships?select=id&is_first=eq.true', json: [{ id: 1 }] },
    {
      name: 'filters rows within or',
      path: '/ships?select=id&or=(title.like.*PT,is_first.is.true)&order=id',
      json: [{ id: 1 }, { id: 2 }],
    },
    {
      name: 'orders rows',
      path: '/ships?select=id&order=title.desc.nullslast&limit=3',
      json: [{ id: 4 }, { id: 5 }, { id: 3 }],
    },
    {
      name: 'is resolved by relation if two relations share the name',
      path: '/owners?select=title&id=eq.1',
      json: [{ title: 'Fjord Line, Bergen' }],
    },
    {
      name: 'is returned for embedded rows',
      path: '/owners?select=title,ships(title)&id=eq.1&ships.order=title',
      json: [
        { title: 'Fjord Line, Bergen', ships: [{ title: 'Albatross of NO' }, { title: 'Cormorant of NO' }] },
      ],
    },
    {
      name: 'filters embedded rows',
      path: '/owners?select=id,ships(id)&id=eq.1&ships.is_first=is.true',
      json: [{ id: 1, ships: [{ id: 1 }] }],
    },
    {
      name: 'is returned for the rows of a function',
      path: '/rpc/one_ship?wanted=1&select=id,title',
      json: [{ id: 1, title: 'Albatross of NO' }],
    },
    {
      name: 'filters the rows of a function',
      path: '/rpc/all_ships?select=id&is_first=is.true',
      json: [{ id: 1 }],
    },
    {
      name: 'is found in the extra search path',
      path: '/ships?select=shout&id=eq.1',
      json: [{ shout: 'ALBATROSS' }],
    },
    {
      name: 'is not selectable outside of the search path',
      path: '/ships?select=hidden_title',
      status: 400,
      json: { code: '42703', message: 'column ships.hidden_title does not exist' },
    },
    {
      name: 'is not filterable outside of the search path',
      path: '/ships?hidden_title=eq.hidden',
      status: 400,
      json: { code: '42703' },
    },
    {
      name: 'is not callable as a function with an unnamed parameter',
      path: '/rpc/title',
      status: 404,
      json: { code: 'PGRST202' },
    },
  ])('$name', (scenario) => check(server, scenario));

  it('is excluded from all columns', async () => {
    const [ship] = (await server.request('/ships?id=eq.1')).json as [object];
    expect(Object.keys(ship)).not.toContain('title');
  });
});
