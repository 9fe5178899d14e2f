import { randomBytes } from 'node:crypto';
import { createEmptyDatabase, createTestDatabase, type EmptyDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
