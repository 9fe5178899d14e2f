/** Logical backups of a database, restored into databases of other servers and of other owners. */
import { openSnapshotSession } from '@greenroom/dump';
import { openSession } from '@greenroom/postgres';
import { type ExternalServer, runOn, startExternalServer } from '@greenroom/testing/external-server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Archive } from '../archive/archive.ts';
import { createChunkReader } from '../archive/chunks/chunk-reader.ts';
import { createChunkWriter } from '../archive/chunks/chunk-writer.ts';
import { listChunks } from '../archive/chunks/list-chunks.ts';
import { createTestArchive, createTestFolder, type TestFolder } from '../archive/testing/archives.ts';
import { logicalSource } from './logical-source.ts';
import { restoreLogical } from './restore-logical.ts';
import { ODD_OBJECTS } from './testing/odd-objects.ts';

let server: ExternalServer;
let other: ExternalServer;
let place: TestFolder;
let archive: Archive;
let databases = 0;

beforeAll(async () => {
  [server, other] = await Promise.all([
    startExternalServer(['shop', 'shop_two']),
    startExternalServer(['shop', 'shop_two']),
  ]);
}, 60_000);
afterAll(() => Promise.all([server.stop(), other.stop()]));
beforeEach(async () => {
  place = await createTestFolder();
  archive = await createTestArchive(place.store);
});
afterEach(() => place.close());

const newDatabase = (on: ExternalServer, owner?: string) => on.createDatabase(`d${++databases}`, owner);

async function backUp(url: string, onProgress = () => {}) {
  const writer = createChunkWriter(archive, await listChunks(archive.store));
  const stored = await logicalSource(url)({ id: 'id', writer, onProgress, signal: undefined });
  await writer.finish();
  return { ...stored, counts: writer.counts };
}

function restore(url: string, index: string[], options: Partial<Parameters<typeof restoreLogical>[0]> = {}) {
  return restoreLogical({
    reader: createChunkReader(archive),
    index,
    url,
    isPasswordDerived: () => false,
    ...options,
  });
}

/** Definitions and rows; large objects are compared by a query. */
async function dumpOf(url: string): Promise<string> {
  const session = await openSnapshotSession(url);
  try {
    return (await session.dump(['--no-large-objects'])).replace(/^\\(?:un)?restrict .*$/gm, '');
  } finally {
    session.close();
  }
}

async function rowsOf(url: string, text: string): Promise<Record<string, unknown>[]> {
  const session = await openSession({ url, applicationName: 'test' });
  const [rows = []] = await session.batch([{ text }]).finally(() => session.close());
  return rows;
}

const LARGE_OBJECTS = `select case when oid = 4242 then oid end as oid, md5(lo_get(oid)) as content, lomacl::text as rights,
  lomowner::regrole::text as owner, obj_description(oid, 'pg_largeobject') as comment
  from pg_largeobject_metadata order by 2`;
const ROLES = `select rolname, rolcanlogin, rolinherit, rolconnlimit, rolvaliduntil::text, rolconfig::text,
  (select array_agg(roleid::regrole::text order by roleid::regrole::text) from pg_auth_members
    where member = pg_roles.oid and (inherit_option or set_option))::text as "memberOf"
  from pg_roles where rolname ~* '^shop' and rolname <> 'shop_two' order by 1`;
const SETTINGS = `select coalesce(setrole::regrole::text, '') as role, setconfig::text as config
  from pg_db_role_setting where setdatabase = (select oid from pg_database where datname = current_database()) order by 1`;
const DATABASE_RIGHTS = `select grantee::regrole::text as grantee, privilege_type as privilege
  from pg_database, aclexplode(datacl) where datname = current_database() order by 1, 2`;
const STATE = [LARGE_OBJECTS, ROLES, SETTINGS, DATABASE_RIGHTS];

describe('a logical backup of a database with odd objects', () => {
  let source: string;
  beforeAll(async () => {
    source = await newDatabase(server);
    await runOn(source, ...ODD_OBJECTS);
  });

  it('is restored completely on another server by a role that is no superuser', async () => {
    const target = await newDatabase(other);
    const { index } = await backUp(source);
    const { omissions, tables } = await restore(target, index);
    expect(omissions).toEqual(['password of role shop_login: only a superuser can back up passwords']);
    expect(tables).toBe(14);
    expect(await dumpOf(target)).toBe(await dumpOf(source));
    for (const query of STATE) expect(await rowsOf(target, query)).toEqual(await rowsOf(source, query));
  });

  it('is restored as another owner, who gets the rights, default privileges and policies of the former one', async () => {
    const own = await startExternalServer(['shop_two']);
    try {
      const target = await own.createDatabase('copy');
      const { index } = await backUp(source);
      await restore(target, index);
      const renamed = (dump: string) => dump.replaceAll(/\bshop_two\b/g, 'shop');
      expect(renamed(await dumpOf(target))).toBe(await dumpOf(source));
      expect(
        await rowsOf(target, `select roles::text from pg_policies where policyname = 'to shop'`),
      ).toEqual([{ roles: '{shop_reader,shop_two}' }]);
    } finally {
      await own.stop();
    }
  });

  it('is refused if an existing role must own objects that the role of the restore cannot become', async () => {
    const target = await newDatabase(server, 'shop_two');
    const { index } = await backUp(source);
    const grant = 'grant "Shop ""Owner""" to "shop_two" with inherit true, set true';
    await expect(restore(target, index)).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining(`Let its administrator run: ${grant}`),
    });
    await runOn(source, grant, 'grant shop_reader to shop_two with inherit true, set true');
    await restore(target, index);
  });

  it('is restored by a superuser with the passwords of roles if a superuser made it', async () => {
    const own = await startExternalServer(['shop']);
    try {
      await runOn(source, `alter role shop_login password 'secret'`);
      const asSuperuser = (url: string, on: ExternalServer) =>
        Object.assign(new URL(on.url), { pathname: new URL(url).pathname }).href;
      const { index } = await backUp(asSuperuser(source, server));
      const target = await own.createDatabase('copy');
      const { omissions } = await restore(asSuperuser(target, own), index);
      expect(omissions).toEqual([]);
      const dumped = await dumpOf(asSuperuser(target, own));
      expect(dumped).toBe(await dumpOf(asSuperuser(source, server)));
      const login = Object.assign(new URL(target), { username: 'shop_login', password: 'secret' }).href;
      expect(await rowsOf(login, 'select current_user::text as name')).toEqual([{ name: 'shop_login' }]);
    } finally {
      await own.stop();
    }
  });

  it('leaves the database empty if it fails, e.g. because a chunk is missing', async () => {
    const target = await newDatabase(other);
    const { index } = await backUp(source);
    let reads = 0;
    const reader = createChunkReader(archive);
    const broken: typeof reader = {
      ...reader,
      async *stream(pieces) {
        reads += 1;
        if (reads > 8) throw new Error('the chunk is missing');
        yield* reader.stream(pieces);
      },
    };
    await expect(restore(target, index, { reader: broken })).rejects.toThrow('the chunk is missing');
    expect(
      await rowsOf(target, `select relname from pg_class where relnamespace = 'public'::regnamespace`),
    ).toEqual([]);
    await restore(target, index);
  });
});

describe('a logical backup', () => {
  it('stores chunks of unchanged rows once', async () => {
    const url = await newDatabase(server);
    await runOn(
      url,
      'create table first (id int primary key, text text)',
      'create table second (id int primary key, text text)',
      `insert into first select n, md5(n::text) from generate_series(1, 100000) n`,
      `insert into second select n, md5(n::text) from generate_series(1, 50000) n`,
    );
    await backUp(url);
    expect((await backUp(url)).counts.storedChunks).toBe(0);
    await runOn(url, `update first set text = 'changed' where id = 50000`);
    // The block of the former row, the last block, and the index.
    expect((await backUp(url)).counts.storedChunks).toBeLessThanOrEqual(3);
  });

  it('ends while statements wait that change its tables', async () => {
    const url = await newDatabase(server);
    await runOn(
      url,
      'create table waiting (id int)',
      'insert into waiting select generate_series(1, 300000)',
      'create table last (id int)',
      'insert into last values (1)',
    );
    let changing: Promise<void> | undefined;
    // The first progress is that of the definitions, when all tables are locked.
    const { index } = await backUp(url, () => {
      changing ??= runOn(url, 'truncate last', 'alter table waiting add column other int');
    });
    await changing;
    const target = await newDatabase(server);
    await restore(target, index);
    expect(
      await rowsOf(
        target,
        'select count(*)::int as waiting, (select count(*)::int from last) as last from waiting',
      ),
    ).toEqual([{ waiting: 300_000, last: 1 }]);
  });

  it('leaves out extensions that the server does not have, with their rows, and names them', async () => {
    const url = await newDatabase(server);
    await runOn(
      Object.assign(new URL(server.url), { pathname: new URL(url).pathname }).href,
      'create extension amcheck',
    );
    await runOn(url, 'create table kept (id int)');
    const { index } = await backUp(url);
    const target = await newDatabase(other);
    const { omissions } = await restore(target, index);
    expect(omissions).toEqual(['extension amcheck: permission denied to create extension "amcheck"']);
    expect(await rowsOf(target, 'select count(*)::int as count from kept')).toEqual([{ count: 0 }]);
  });

  it('is refused by a database with objects, which the message names', async () => {
    const url = await newDatabase(server);
    const { index } = await backUp(url);
    await runOn(url, 'create schema own', 'create function own.f() returns int language sql return 1');
    await expect(restore(url, index)).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('is not empty: it has own.f. A restore does not remove data.'),
    });
  });

  it('ends with the reason of its signal', async () => {
    const url = await newDatabase(server);
    await runOn(url, 'create table many (id int)', 'insert into many select generate_series(1, 1000000)');
    const writer = createChunkWriter(archive, await listChunks(archive.store));
    const stop = new AbortController();
    const onProgress = (bytes: number) => bytes > 1_000_000 && stop.abort(new Error('stopped'));
    const stored = logicalSource(url)({ id: 'id', writer, onProgress, signal: stop.signal });
    await expect(stored).rejects.toThrow('stopped');
    await writer.finish();
    const sessions = () =>
      rowsOf(url, `select pid from pg_stat_activity where application_name = 'greenroom dump'`);
    await expect.poll(sessions).toEqual([]);
  });
});
