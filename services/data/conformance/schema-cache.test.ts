import { openDatabase } from '@greenroom/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataServer } from '../testing/data-server.ts';

let server: DataServer;
beforeAll(async () => {
  server = await DataServer.open(
    `create table ports (id int primary key, name text);
     create table ships (id int primary key, port_id int references ports);
     insert into ports values (1, 'Turku');
     insert into ships values (1, 1)`,
    {},
    { waitsBetweenReloads: true },
  );
  // The tests send the notifications themselves.
  await server.database.admin.query({ text: 'alter event trigger pgrst_ddl_watch disable' });
  await server.database.admin.query({ text: 'alter event trigger pgrst_drop_watch disable' });
});
afterAll(() => server.close());

const run = (text: string) => server.database.admin.query({ text });
const statusOf = async (path: string) => (await server.request(path)).status;
const generation = () => server.generation;

/** Says what will be true in a while, on a busy machine, too. */
function eventually<T>(value: () => T) {
  return expect.poll(value, { timeout: 10_000 });
}

/** Runs a notice, and waits until the schema has been read again. */
async function notify(notice: string): Promise<void> {
  const before = generation();
  await run(notice);
  await eventually(generation).toBeGreaterThan(before);
}

describe('the schema cache', () => {
  it.each(["notify pgrst, 'reload schema'", 'notify pgrst'])('is reloaded by %s', async (notice) => {
    await run('create table crews (id int primary key, ship_id int references ships)');
    await run("create function captain() returns text stable language sql as 'select ''x'''");
    expect(await statusOf('/crews')).toBe(404);
    expect(await statusOf('/rpc/captain')).toBe(404);
    expect(await statusOf('/ships?select=id,crews(id)')).toBe(400);
    await notify(notice);
    expect(await statusOf('/crews')).toBe(200);
    expect(await statusOf('/rpc/captain')).toBe(200);
    expect(await statusOf('/ships?select=id,crews(id)')).toBe(200);
    await run('drop table crews');
    await run('drop function captain()');
    // Before the notification, only PostgreSQL notices that the object is gone.
    expect((await server.request('/crews')).json).toMatchObject({ code: '42P01' });
    expect(await statusOf('/crews')).toBe(404);
    await notify(notice);
    expect((await server.request('/crews')).json).toMatchObject({ code: 'PGRST205' });
  });

  it('is not reloaded by other notifications', async () => {
    const before = generation();
    await run("notify pgrst, 'reload'");
    await run("notify pgrst, 'something else'");
    await run("notify elsewhere, 'reload schema'");
    // A notice that counts is heard after those that do not.
    await notify("notify pgrst, 'reload schema'");
    expect(generation()).toBe(before + 1);
  });

  it('is reloaded only a few times for many notifications', async () => {
    const before = generation();
    for (let i = 0; i < 20; i += 1) await run("notify pgrst, 'reload schema'");
    await run('create table last_one (id int)');
    await run("notify pgrst, 'reload schema'");
    await eventually(() => statusOf('/last_one')).toBe(200);
    expect(generation() - before).toBeLessThan(20);
    await run('drop table last_one');
  });

  it.each<[change: string, path: string, rows: unknown]>([
    ['alter table goods alter code type text', '/goods?code=eq.7', [{ name: 'Tea' }]],
    ['alter table goods alter code type bigint', '/goods?code=eq.3000000000', []],
    [
      'create extension if not exists citext schema public; alter table goods alter name type citext',
      '/goods?name=eq.TEA',
      [{ name: 'Tea' }],
    ],
    [
      "drop table goods; create view goods as select text '7' as code, text 'Tea' as name",
      '/goods?code=eq.7',
      [{ name: 'Tea' }],
    ],
  ])('invalidates prepared statements after %s', async (change, path, rows) => {
    await run('create table goods (code int, name text)');
    await run("insert into goods values (7, 'Tea')");
    await server.reload();
    for (let i = 0; i < 20; i += 1) {
      expect(await statusOf('/goods?select=name&code=eq.7')).toBe(200);
      expect(await statusOf('/goods?select=name&name=eq.Tea')).toBe(200);
    }
    for (const statement of change.split('; ')) await run(statement);
    await server.reload();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => server.request(`${path}&select=name`)),
    );
    for (const response of responses) expect([response.status, response.json]).toEqual([200, rows]);
    await run(`drop ${change.includes('view') ? 'view' : 'table'} goods`);
    await server.reload();
  });

  it('serves requests while a reload is blocked', async () => {
    const own = openDatabase({ url: server.database.url, max: 1, applicationName: 'test' });
    await run('create table late (id int)');
    await own.transaction(async (holding) => {
      // Comments are read with the schema, and by no request.
      await holding.query({ text: 'lock table pg_catalog.pg_description in access exclusive mode' });
      await run("notify pgrst, 'reload schema'");
      const text =
        "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
      await eventually(() => server.database.admin.query({ text })).toHaveLength(1);
      const before = generation();
      for (let i = 0; i < 20; i += 1) {
        const ships = await server.request('/ships?select=id,ports(name)');
        expect(ships.json).toEqual([{ id: 1, ports: { name: 'Turku' } }]);
      }
      expect(await statusOf('/late')).toBe(404);
      expect(generation()).toBe(before);
    });
    await own.close();
    await eventually(() => statusOf('/late')).toBe(200);
    await run('drop table late');
  });

  it('is reloaded after the listening connection was closed', async () => {
    await run(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'greenroom, listening'`,
    );
    expect(await statusOf('/ports')).toBe(200);
    await run('create table missed (id int)');
    await eventually(() => statusOf('/missed')).toBe(200);
    await run('drop table missed');
  });

  it('is needed to write changed columns, but not to read them', async () => {
    expect((await server.request('/ports?id=eq.1')).json).toEqual([{ id: 1, name: 'Turku' }]);
    await run("alter table ports add column country text default 'FI'");
    expect((await server.request('/ports?id=eq.1')).json).toEqual([{ id: 1, name: 'Turku', country: 'FI' }]);
    const body = { id: 2, country: 'SE' };
    const write = () =>
      server.request('/ports', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect((await write()).json).toMatchObject({ code: 'PGRST204' });
    await notify("notify pgrst, 'reload schema'");
    expect((await write()).status).toBe(201);
    await run('alter table ports drop column country');
    expect((await server.request('/ports?id=eq.1')).json).toEqual([{ id: 1, name: 'Turku' }]);
  });
});

describe('the DDL event triggers', () => {
  it('reload the schema cache without a notification', async () => {
    await run('alter event trigger pgrst_ddl_watch enable');
    await run('alter event trigger pgrst_drop_watch enable');
    await run('create table seen (id int)');
    await eventually(() => statusOf('/seen')).toBe(200);
    await run('comment on table seen is $c$Seen$c$');
    await eventually(
      async () =>
        ((await server.request('/')).json as { definitions: Record<string, unknown> }).definitions.seen,
    ).toMatchObject({ description: 'Seen' });
    await run('drop table seen');
    await eventually(() => statusOf('/seen')).toBe(404);
  });
});
