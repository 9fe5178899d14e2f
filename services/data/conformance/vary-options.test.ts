/** What answers depend on, and what can be done with something. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { DataServer } from '../testing/data-server.ts';
import { check, openHarbour, type Scenario } from './testing/harbour.ts';

let server: DataServer;
beforeAll(async () => {
  server = await openHarbour();
});
afterAll(() => server.close());

describe('Vary', () => {
  const vary = 'Accept, Prefer, Range';
  it.each<Scenario>([
    { name: 'is returned for a read', path: '/badges', answered: { vary } },
    { name: 'is returned for HEAD', path: '/badges', method: 'HEAD', answered: { vary } },
    {
      name: 'is returned for an insert',
      path: '/badges',
      method: 'POST',
      body: { id: 9 },
      status: 201,
      answered: { vary },
    },
    {
      name: 'is returned for an update',
      path: '/badges?id=eq.9',
      method: 'PATCH',
      body: { id: 8 },
      status: 204,
      answered: { vary },
    },
    { name: 'is returned for a function', path: '/rpc/one', answered: { vary } },
    { name: 'is returned for OPTIONS', path: '/badges', method: 'OPTIONS', answered: { vary } },
    { name: 'is returned for the OpenAPI document', path: '/', answered: { vary } },
    {
      name: 'is replaced by the value that a function sets',
      path: '/rpc/set_vary',
      method: 'POST',
      body: {},
      answered: { vary: 'Accept, X-Lang' },
    },
  ])('$name', (scenario) => check(server, scenario));

  it('is replaced by the value that the pre-request function sets', async () => {
    const own = await openHarbour({ PGRST_DB_PRE_REQUEST: 'set_vary' });
    try {
      await check(own, { path: '/badges', answered: { vary: 'Accept, X-Lang' } });
      await check(own, {
        path: '/badges',
        method: 'DELETE',
        status: 204,
        answered: { vary: 'Accept, X-Lang' },
      });
    } finally {
      await own.close();
    }
  });
});

describe('OPTIONS', () => {
  it.each<readonly [name: string, path: string, allow: string]>([
    ['a table with a key', '/ships', 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE'],
    ['a table with a key of two columns', '/slips', 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE'],
    ['a table without a key', '/scraps', 'OPTIONS,GET,HEAD,POST,PATCH,DELETE'],
    ['a partitioned table', '/voyages', 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE'],
    ['a table that the role may not read', '/wishes', 'OPTIONS,GET,HEAD,POST,PATCH,DELETE'],
    ['an updatable view', '/plain_ships', 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE'],
    ['an updatable view without a key', '/ship_names', 'OPTIONS,GET,HEAD,POST,PATCH,DELETE'],
    ['a view that is not updatable', '/flag_counts', 'OPTIONS,GET,HEAD'],
    ['a materialized view', '/big_ships', 'OPTIONS,GET,HEAD'],
    ['a view without triggers', '/doubled', 'OPTIONS,GET,HEAD'],
    ['a view with a trigger on insert', '/doubled_insert', 'OPTIONS,GET,HEAD,POST'],
    ['a view with a trigger on update', '/doubled_update', 'OPTIONS,GET,HEAD,PATCH'],
    ['a view with a trigger on delete', '/doubled_delete', 'OPTIONS,GET,HEAD,DELETE'],
    ['a view with all triggers', '/doubled_all', 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE'],
    ['a view with all triggers, but no key', '/doubled_names', 'OPTIONS,GET,HEAD,POST,PATCH,DELETE'],
    ['a volatile function', '/rpc/make_wish', 'OPTIONS,POST'],
    ['a stable function', '/rpc/all_ships', 'OPTIONS,GET,HEAD,POST'],
    ['an immutable function', '/rpc/one', 'OPTIONS,GET,HEAD,POST'],
    ['the root', '/', 'OPTIONS,GET,HEAD'],
  ])('of %s at %s returns Allow: %s', (_name, path, allow) =>
    check(server, {
      path,
      method: 'OPTIONS',
      text: '',
      answered: { allow, 'content-length': '0', 'content-type': null },
    }),
  );

  it.each<Scenario>([
    { name: 'an unknown relation', path: '/nothing', status: 404, json: { code: 'PGRST205' } },
    { name: 'an unknown function', path: '/rpc/nowhere', status: 404, json: { code: 'PGRST202' } },
    { name: 'a function that needs arguments', path: '/rpc/needs', status: 404, json: { code: 'PGRST202' } },
    {
      name: 'a function call with an argument',
      path: '/rpc/needs?argument=1',
      status: 400,
      json: { code: 'PGRST100' },
    },
    { name: 'an invalid path', path: '/ships/', status: 404, json: { code: 'PGRST125' } },
  ])('rejects $name', (scenario) => check(server, { method: 'OPTIONS', ...scenario }));

  it('is independent of the privileges of the role', () =>
    check(server, {
      path: '/accounts',
      method: 'OPTIONS',
      claims: { role: 'authenticated' },
      answered: { allow: 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE' },
    }));
});
