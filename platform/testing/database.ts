/** One database per test file, cloned from a migrated template in the run's own PostgreSQL. */
import { createHash, randomBytes } from 'node:crypto';
import { type Database, openDatabase, roleUrl } from '@greenroom/postgres';
import { inject } from 'vitest';
import { TEST_JWT_SECRET } from './keys.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser's connection URL of the PostgreSQL of the test run. */
    postgresUrl: string;
  }
}

/** Name of the migrated database that is cloned. */
export const TEMPLATE = 'greenroom_template';

/** The part that all test databases have in common. */
interface PreparedDatabase {
  /** Logged in as superuser, to read and prepare data that a service could not. */
  admin: Database;
  /** Superuser's connection URL. */
  url: string;
  /** Runs statements as superuser, all in one transaction. */
  run(sql: string): Promise<void>;
  drop(): Promise<void>;
}

/** A migrated database for one test file. */
export interface TestDatabase extends PreparedDatabase {
  /** Logged in as supabase_auth_admin, like the auth service. */
  auth: Database;
  /** Connection URL of the role that requests of the data API log in with. */
  authenticatorUrl: string;
  /** Connection URL of the role that realtime logs in with. */
  realtimeUrl: string;
  /** Connection URL of the role that storage logs in with. */
  storageUrl: string;
  /** Connection URL of the role that sends HTTP requests of SQL. */
  netUrl: string;
  /** Connection URL of `postgres`, who owns the database and is not a superuser. */
  ownerUrl: string;
}

/** An empty database. Roles belong to all databases of the server, so those of the platform exist. */
export type EmptyDatabase = PreparedDatabase & { name: string };

/**
 * Creates an ordinary database, without the platform.
 * @param server superuser's connection URL of another PostgreSQL than that of the test run
 */
export async function createEmptyDatabase(server?: string): Promise<EmptyDatabase> {
  const { name, url, maintenance } = await createDatabase('template1', server);
  const admin = openDatabase({ url, max: 2, applicationName: 'test admin' });
  const drop = async () => {
    await admin.close();
    await dropDatabase(maintenance, name);
  };
  return { name, url, admin, run: (sql) => runScript(admin, sql), drop };
}

/**
 * Clones the template. Takes about 50 ms.
 * @param script SQL that several test files share. It runs once per run, as superuser; later databases are clones.
 */
export async function createTestDatabase(script?: string): Promise<TestDatabase> {
  return openTestDatabase(await cloneTemplate(script === undefined ? TEMPLATE : await templateOf(script)));
}

/**
 * Clones the template of another server than that of the test run.
 * @param server superuser's connection URL
 */
export async function createTestDatabaseOn(server: string): Promise<TestDatabase> {
  return openTestDatabase(await cloneTemplate(TEMPLATE, server));
}

function openTestDatabase({ name, url, maintenance }: CreatedDatabase): TestDatabase {
  const auth = openDatabase({
    url: roleUrl(url, 'supabase_auth_admin', TEST_JWT_SECRET),
    max: 10,
    applicationName: 'test auth',
  });
  const admin = openDatabase({ url, max: 2, applicationName: 'test admin' });
  const drop = async () => {
    await Promise.all([auth.close(), admin.close()]);
    await dropDatabase(maintenance, name);
  };
  return {
    auth,
    admin,
    url,
    run: (sql) => runScript(admin, sql),
    authenticatorUrl: roleUrl(url, 'authenticator', TEST_JWT_SECRET),
    realtimeUrl: roleUrl(url, 'supabase_realtime_admin', TEST_JWT_SECRET),
    storageUrl: roleUrl(url, 'supabase_storage_admin', TEST_JWT_SECRET),
    netUrl: roleUrl(url, 'greenroom_net', TEST_JWT_SECRET),
    ownerUrl: ownerUrl(url),
    drop,
  };
}

/** Returns the name of the database that this script has filled, and creates it if no test file has done so yet. */
async function templateOf(script: string): Promise<string> {
  const template = `${TEMPLATE}_${createHash('sha256').update(script).digest('hex').slice(0, 16)}`;
  const lock = openDatabase({ url: inject('postgresUrl'), max: 1, applicationName: 'test' });
  try {
    await lock.transaction(async (tx) => {
      // Test files run in several processes.
      await tx.query({ text: `select pg_advisory_xact_lock(hashtext('${template}'))` });
      const found = await tx.query({ text: `select from pg_database where datname = '${template}'` });
      if (found.length === 0) await fillTemplate(template, script);
    });
  } finally {
    await lock.close();
  }
  return template;
}

/** Renames the database only once it is complete, so that no test file clones the remains of a script that failed. */
async function fillTemplate(template: string, script: string): Promise<void> {
  const { name, url, maintenance } = await cloneTemplate(TEMPLATE);
  const admin = openDatabase({ url, max: 1, applicationName: 'test' });
  try {
    await runScript(admin, script).finally(() => admin.close());
    await maintenance.query({ text: `alter database ${name} rename to ${template}` });
  } finally {
    await maintenance.close();
  }
}

async function cloneTemplate(template: string, server?: string): Promise<CreatedDatabase> {
  const created = await createDatabase(template, server);
  await created.maintenance.query({ text: `alter database ${created.name} owner to postgres` });
  // Settings of a database are not cloned with it.
  await created.maintenance.query({
    text: `alter database ${created.name} set search_path = "$user", public, extensions`,
  });
  return created;
}

/** The extended protocol accepts one statement at a time, so a DO block executes all of them. */
async function runScript(admin: Database, sql: string): Promise<void> {
  await admin.query({ text: `do $script$ begin execute $sql$${sql}$sql$; end $script$` });
}

/** A new database, and a connection to the database of its server that creates and drops others. */
interface CreatedDatabase {
  name: string;
  url: string;
  maintenance: Database;
}

async function createDatabase(template: string, server = inject('postgresUrl')): Promise<CreatedDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const maintenance = openDatabase({ url: server, max: 1, applicationName: 'test' });
  await maintenance.query({ text: `create database ${name} template ${template}` });
  return { name, url: databaseUrl(server, name), maintenance };
}

async function dropDatabase(maintenance: Database, name: string): Promise<void> {
  await maintenance.query({ text: `drop database ${name} with (force)` });
  await maintenance.close();
}

/** Both roles have the same password. */
function ownerUrl(url: string): string {
  const target = new URL(url);
  target.username = 'postgres';
  return target.href;
}

/** Returns the URL of another database with the same server and login. */
export function databaseUrl(url: string, name: string): string {
  const target = new URL(url);
  target.pathname = `/${name}`;
  return target.href;
}
