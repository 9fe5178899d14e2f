import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { createEmptyDatabase, createTestDatabase, type EmptyDatabase, freePort } from '@greenroom/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { missingRights } from './external.ts';
import { checkExternalPostgres } from './index.ts';

const good = {
  version: 17,
  superuser: false,
  createrole: true,
  createdb: true,
  bypassrls: true,
  createSchemas: true,
  ownsDatabase: true,
  otherOwner: null,
};

describe('missingRights', () => {
  it.each([
    ['an owner with all rights', good, []],
    [
      'a superuser of PostgreSQL 15',
      { ...good, version: 15, superuser: true, createrole: false, createdb: false, ownsDatabase: false },
      [],
    ],
    [
      'a superuser of PostgreSQL 14',
      { ...good, version: 14, superuser: true },
      ['PostgreSQL 15 or later is required, but the server runs 14'],
    ],
    [
      'an owner of PostgreSQL 15',
      { ...good, version: 15, createdb: false },
      ['PostgreSQL 15 requires a superuser to create service_role (BYPASSRLS)'],
    ],
    [
      'an owner without CREATEDB',
      { ...good, createdb: false },
      ['it may not create supabase_admin and dashboard_user (requires CREATEDB)'],
    ],
    [
      'an owner of a database that another role has set up',
      { ...good, otherOwner: 'supabase_admin' },
      ['the database was set up by "supabase_admin" and can only be used with that role'],
    ],
    [
      'a role with all rights that does not own the database',
      { ...good, ownsDatabase: false },
      ['it may not change settings of this database (requires ownership)'],
    ],
    [
      'a role without rights',
      {
        ...good,
        createrole: false,
        createdb: false,
        bypassrls: false,
        createSchemas: false,
        ownsDatabase: false,
      },
      [
        'it may not create roles (requires CREATEROLE)',
        'it may not create supabase_admin and dashboard_user (requires CREATEDB)',
        'it may not create service_role (requires BYPASSRLS)',
        'it may not create schemas in this database (requires CREATE)',
        'it may not change settings of this database (requires ownership)',
      ],
    ],
  ])('lists the missing rights of %s', (_, rights, missing) => {
    expect(missingRights(rights)).toEqual(missing);
  });
});

describe('checkExternalPostgres', () => {
  const prefix = `external_${randomBytes(4).toString('hex')}`;
  const owner = `${prefix}_owner`;
  const roles = {
    [owner]: 'createrole createdb bypassrls',
    [`${prefix}_member`]: `createrole createdb bypassrls in role ${owner}`,
    [`${prefix}_stranger`]: 'createrole createdb bypassrls',
    [`${prefix}_modest`]: `createrole bypassrls in role ${owner}`,
  };
  let database: EmptyDatabase;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    for (const [role, options] of Object.entries(roles)) {
      await database.admin.query({ text: `create role ${role} login password 'p' ${options}` });
    }
    const name = new URL(database.url).pathname.slice(1);
    await database.admin.query({ text: `alter database ${name} owner to ${owner}` });
    await database.admin.query({ text: `grant create on database ${name} to ${prefix}_stranger` });
  });
  afterAll(async () => {
    await database.admin.query({ text: `reassign owned by ${owner} to postgres` });
    await database.admin.query({ text: `drop owned by ${Object.keys(roles).join(', ')}` });
    await database.admin.query({ text: `drop role ${Object.keys(roles).join(', ')}` });
    await database.drop();
  });

  const check = (role: string) => {
    const url = new URL(database.url);
    url.username = `${prefix}_${role}`;
    url.password = 'p';
    return checkExternalPostgres(url.href);
  };

  it.each(['owner', 'member'])('accepts the %s of the database', async (role) => {
    expect(await check(role)).toEqual([]);
  });

  it('rejects the owner of the embedded database, which the superuser has set up', async () => {
    const embedded = await createTestDatabase();
    await expect(checkExternalPostgres(embedded.ownerUrl)).rejects.toThrow(
      'DATABASE_URL: role "postgres" cannot be used: the database was set up by "supabase_admin" and can only be used with that role',
    );
    await embedded.drop();
  });

  it.each([
    ['stranger', 'it may not change settings of this database (requires ownership)'],
    ['modest', 'it may not create supabase_admin and dashboard_user (requires CREATEDB)'],
  ])('rejects the role %s: %s', async (role, missing) => {
    await expect(check(role)).rejects.toThrow(
      `DATABASE_URL: role "${prefix}_${role}" cannot be used: ${missing}`,
    );
  });
});

describe('a wait for the database', () => {
  let database: EmptyDatabase;
  const listeners: Server[] = [];

  beforeAll(async () => {
    database = await createEmptyDatabase();
  });
  afterEach(() => {
    for (const listener of listeners.splice(0)) listener.close();
  });
  afterAll(() => database.drop());

  /** Listens on a port, and passes connections on to the database, or never responds. */
  async function listen(port: number, kind: 'database' | 'silent'): Promise<number> {
    const target = new URL(database.url);
    const listener = createServer((socket) => {
      socket.on('error', () => {});
      if (kind === 'silent') return;
      const upstream = connect(Number(target.port), target.hostname).on('error', () => {});
      socket.pipe(upstream).pipe(socket);
    });
    listeners.push(listener);
    await once(listener.listen(port, '127.0.0.1'), 'listening');
    return (listener.address() as AddressInfo).port;
  }
  const urlAt = (port: number, password?: string) => {
    const url = new URL(database.url);
    url.host = `127.0.0.1:${port}`;
    if (password !== undefined) url.password = password;
    return url.href;
  };

  it('ends when it accepts connections', async () => {
    const port = await freePort();
    const reasons: string[] = [];
    const onWait = (reason: string) => {
      reasons.push(reason);
      void listen(port, 'database');
    };
    expect(await checkExternalPostgres(urlAt(port), { timeoutMs: 60_000, onWait })).toEqual([]);
    expect(reasons).toEqual([`connect ECONNREFUSED 127.0.0.1:${port}`]);
  });

  it.each([
    ['refuses connections', () => freePort(), 'connect ECONNREFUSED 127.0.0.1:\\d+'],
    ['does not respond', () => listen(0, 'silent'), 'timeout expired'],
  ])('fails after its time if the server %s', async (_, choosePort, reason) => {
    const port = await choosePort();
    await expect(checkExternalPostgres(urlAt(port), { timeoutMs: 1000 })).rejects.toThrow(
      new RegExp(
        `^DATABASE_URL: cannot connect: ${reason}; waited 1 s \\(db.health_timeout or GREENROOM_DB_HEALTH_TIMEOUT\\)$`,
      ),
    );
  });

  it('does not begin after an error that a retry cannot change', async () => {
    const port = await listen(0, 'database');
    const onWait = () => expect.unreachable();
    await expect(checkExternalPostgres(urlAt(port, 'wrong'), { timeoutMs: 60_000, onWait })).rejects.toThrow(
      /^DATABASE_URL: cannot connect: password authentication failed for user "[^"]+"$/,
    );
  });

  it('ends when the start is stopped', async () => {
    const stopping = new AbortController();
    const waiting = { timeoutMs: 60_000, onWait: () => stopping.abort(), signal: stopping.signal };
    await expect(checkExternalPostgres(urlAt(await freePort()), waiting)).rejects.toThrow(
      'stopped before the database of DATABASE_URL accepted connections',
    );
  });
});
