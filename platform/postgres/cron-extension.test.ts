/** The extension pg_cron: its functions, rights and versions, and the placeholder of earlier versions. */
import { readFile } from 'node:fs/promises';
import { createTestDatabase, lastRows, openClient, type TestDatabase } from '@greenroom/testing';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const JOBS = 'select jobname, schedule, command, username, active from cron.job order by jobid';

let database: TestDatabase;
let client: pg.Client;
/** A superuser, which can become any role. */
let admin: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = await openClient(database.ownerUrl);
  await client.query('create extension pg_cron');
  admin = await openClient(database.url);
});
afterAll(async () => {
  await client.end();
  await admin.end();
  await database.drop();
});

// Each test runs in a transaction, so the next one finds no job.
beforeEach(async () => {
  for (const connection of [client, admin]) await connection.query('begin');
  await client.query(
    `create role planner; grant planner to current_user; grant usage on schema cron to planner`,
  );
});
afterEach(async () => {
  for (const connection of [client, admin]) await connection.query('rollback');
});

const query = (sql: string, on = client) => lastRows(on, sql);

describe('cron.schedule', () => {
  it('stores a job of its caller', async () => {
    const [row] = await query(`select cron.schedule('nightly', '0 3 * * *', 'vacuum') as id`);
    expect(await query('select * from cron.job')).toEqual([
      {
        jobid: row?.id,
        jobname: 'nightly',
        schedule: '0 3 * * *',
        command: 'vacuum',
        username: 'postgres',
        active: true,
        database: expect.stringMatching(/^test_/),
        nodename: 'localhost',
        nodeport: expect.any(Number),
      },
    ]);
  });

  it('replaces the schedule and the command of a job with the same name and owner', async () => {
    const [row] = await query(`
      select cron.schedule('nightly', '0 3 * * *', 'vacuum');
      select cron.alter_job(jobid, active := false) from cron.job;
      select cron.schedule('nightly', '30 seconds', 'analyze') as id`);
    expect(await query('select jobid as id, schedule, command, active from cron.job')).toEqual([
      { id: row?.id, schedule: '30 seconds', command: 'analyze', active: false },
    ]);
  });

  it('stores a job without a name each time', async () => {
    await query(`select cron.schedule('@daily', 'vacuum'); select cron.schedule('@daily', 'vacuum')`);
    expect(await query(JOBS)).toHaveLength(2);
    expect(await query(`select cron.schedule(null, 'vacuum')`)).toEqual([{ schedule: null }]);
  });

  it('notifies the service after the commit', async () => {
    const listener = await openClient(database.ownerUrl);
    const received = new Promise<string>((resolve) =>
      listener.on('notification', ({ channel }) => resolve(channel)),
    );
    await listener.query('listen greenroom_cron');
    await database.admin.query({ text: `select cron.unschedule(cron.schedule('@daily', 'vacuum'))` });
    expect(await received).toBe('greenroom_cron');
    await listener.end();
  });
});

it.each([
  [`cron.schedule('nightly', 'at night', 'vacuum')`, '22023', 'invalid schedule: at night'],
  [`cron.schedule('60 seconds', 'vacuum')`, '22023', 'invalid schedule: 60 seconds'],
  [`cron.schedule(null, '* * * * *', 'vacuum')`, 'P0001', 'job_name can not be NULL'],
  [`cron.schedule('nightly', null, 'vacuum')`, 'P0001', 'schedule can not be NULL'],
  [`cron.schedule('nightly', '* * * * *', null)`, 'P0001', 'command can not be NULL'],
  [`cron.schedule_in_database('n', '@daily', 'vacuum', 'none')`, '3D000', 'database "none" does not exist'],
  [
    `cron.schedule_in_database('n', '@daily', 'vacuum', 'template1', 'postgres')`,
    '42501',
    'must be superuser to create a job for another role',
  ],
  [`cron.unschedule('nightly')`, 'P0001', "could not find valid entry for job 'nightly'"],
  [`cron.unschedule(7)`, 'P0001', 'could not find valid entry for job 7'],
  [`cron.alter_job(7, active := false)`, 'P0001', "Job 7 does not exist or you don't own it"],
  [`cron.alter_job(7)`, 'P0001', 'no updates specified'],
  [`cron.alter_job(null, active := false)`, 'P0001', 'job_id can not be NULL'],
  [`cron.alter_job(7, 'at night')`, '22023', 'invalid schedule: at night'],
  [`cron.alter_job(7, username := 'planner')`, '42501', 'must be superuser to alter username'],
])('refuses %s', async (call, code, message) => {
  await expect(query(`select ${call}`)).rejects.toMatchObject({ code, message });
});

it('a superuser schedules jobs of roles that can log in', async () => {
  await query(
    `create role clerk login; create role intern;
     select cron.schedule_in_database('other', '5 4 * * mon', 'vacuum', 'template1', 'clerk', false)`,
    admin,
  );
  const jobs = await query('select jobname, database, username, active from cron.job', admin);
  expect(jobs).toEqual([{ jobname: 'other', database: 'template1', username: 'clerk', active: false }]);
  await query(`select cron.alter_job(jobid, username := 'postgres') from cron.job`, admin);
  expect(await query('select username from cron.job', admin)).toEqual([{ username: 'postgres' }]);
  await expect(
    query(`select cron.alter_job(jobid, username := 'intern') from cron.job`, admin),
  ).rejects.toMatchObject({ message: 'role "intern" can not log in' });
});

it('changes and removes jobs', async () => {
  const jobs = await query(`
    select cron.schedule('one', '0 3 * * *', 'vacuum');
    select cron.schedule('two', '0 3 * * *', 'vacuum');
    select cron.alter_job(jobid, schedule := '1 seconds', active := false) from cron.job where jobname = 'two';
    select cron.unschedule('one');
    ${JOBS}`);
  expect(jobs).toMatchObject([{ jobname: 'two', schedule: '1 seconds', command: 'vacuum', active: false }]);
  expect(await query('select cron.unschedule(jobid) as removed from cron.job')).toEqual([{ removed: true }]);
});

describe('rights', () => {
  it('show to each role its own jobs and runs, and let it change and delete no others', async () => {
    await query(
      `insert into cron.job_run_details (jobid, username, status) values (1, 'planner', 'failed'), (2, 'postgres', 'failed')`,
    );
    const jobs = await query(`
      select cron.schedule('nightly', '0 3 * * *', 'vacuum');
      set local role planner;
      select cron.schedule('nightly', '0 4 * * *', 'select 1');
      update cron.job set command = 'select 2';
      ${JOBS}`);
    expect(jobs).toMatchObject([{ jobname: 'nightly', command: 'select 2', username: 'planner' }]);
    expect(await query('delete from cron.job_run_details returning jobid')).toEqual([{ jobid: '1' }]);
    await expect(query(`select cron.alter_job(1, active := false)`)).rejects.toMatchObject({
      code: '42501',
      message: 'permission denied for function alter_job',
    });
  });

  it.each([
    `insert into cron.job (schedule, command, username) values ('@daily', 'vacuum', 'supabase_admin')`,
    `update cron.job set username = 'supabase_admin'`,
    `set local session_replication_role = replica; update cron.job set username = 'supabase_admin'`,
  ])('let postgres schedule no job of a superuser: %s', async (statement) => {
    await query(`select cron.schedule('@daily', 'vacuum')`);
    await expect(query(statement)).rejects.toMatchObject({ code: '42501' });
  });

  it.each([
    `update cron.job set command = 'drop table users'`,
    `update cron.job set username = 'service_role'`,
    'delete from cron.job',
    `insert into cron.job (schedule, command, username) values ('@daily', 'vacuum', 'postgres')`,
  ])('let service_role, which bypasses policies, change no job of postgres: %s', async (statement) => {
    await query(`select cron.schedule('@daily', 'vacuum'); grant usage on schema cron to service_role`);
    await expect(query(`set local role service_role; ${statement}`)).rejects.toMatchObject({ code: '42501' });
  });

  it('permit to postgres what dumps of hosted projects grant', async () => {
    await query(`
      grant usage on schema cron to anon;
      grant all privileges on all tables in schema cron to postgres;
      grant all on function cron.alter_job(bigint, text, text, text, text, boolean), cron.job_cache_invalidate(),
        cron.schedule(text, text), cron.schedule(text, text, text), cron.unschedule(bigint), cron.unschedule(text),
        cron.schedule_in_database(text, text, text, text, text, boolean) to anon`);
  });

  it('are those of the caller in all functions, and tables belong to a role without rights', async () => {
    expect(
      await query(`select bool_or(prosecdef) as definer,
          (select array_agg(distinct relowner::regrole::text) from pg_class
            where relnamespace = 'cron'::regnamespace and relkind in ('r', 'S')) as owners
        from pg_proc where pronamespace = 'cron'::regnamespace`),
    ).toEqual([{ definer: false, owners: ['greenroom_net'] }]);
  });
});

describe('the extension', () => {
  it.each(['1.4-1', '1.5', '1.6', '1.6.4'])('is created and updated with the version %s', async (version) => {
    await query(
      `drop extension pg_cron; create extension pg_cron with schema extensions version '${version}'`,
    );
    expect(await query(`select extversion from pg_extension where extname = 'pg_cron'`)).toEqual([
      { extversion: version },
    ]);
    await query(`select cron.schedule('@daily', 'vacuum'); alter extension pg_cron update to '1.6.4'`);
    expect(await query(JOBS)).toHaveLength(1);
  });

  it('calls no function of the project as superuser', async () => {
    await query(`
      drop extension pg_cron;
      create schema planted;
      create function planted.fail() returns text language plpgsql as $$
      begin
        if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then raise 'called as superuser'; end if;
        return 'cron.jobid_seq';
      end $$;
      create function planted.nextval(text) returns bigint language sql as 'select length(planted.fail())';
      create function planted.to_regrole(unknown_role varchar) returns text language sql as 'select planted.fail()';
      create function planted.pg_extension_config_dump(text, text) returns void language sql as 'select planted.fail()';
      create extension pg_cron with schema planted;
      select cron.schedule('@daily', 'vacuum')`);
  });

  it('can be created, granted and read by a role that is not a superuser', async () => {
    await query(`
      drop extension pg_cron; create role project_owner; grant project_owner to current_user;
      grant create on database "${new URL(database.url).pathname.slice(1)}" to project_owner;
      set local role project_owner;
      create extension pg_cron with schema pg_catalog;
      grant usage on schema cron to project_owner, anon;
      grant all privileges on all tables in schema cron to project_owner`);
    expect(await query('select * from cron.job')).toEqual([]);
  });

  it('keeps a schema that existed before it', async () => {
    await query(
      'drop extension pg_cron; drop schema if exists cron; create schema cron; create table cron.own ()',
    );
    await query('create extension pg_cron; drop extension pg_cron');
    expect(await query('select * from cron.own')).toEqual([]);
  });
});

describe('a database with the placeholder', () => {
  it.each([
    ['of a version that the project has named', '1.6', ''],
    [
      'with a view of the project',
      '1.6.4',
      'create view public.failures as select jobid, status from cron.job_run_details',
    ],
  ])('%s gets the extension and keeps its jobs', async (_name, version, dependents) => {
    // Its transaction locks the schema.
    await client.query('rollback');
    const [migration, placeholder] = await Promise.all(
      ['migrations/0029_cron_jobs.sql', 'testing/cron-placeholder.sql'].map((file) =>
        readFile(new URL(file, import.meta.url), 'utf8'),
      ),
    );
    await query(
      `set local search_path = pg_catalog;
       drop extension pg_cron;
       create extension pg_cron with schema extensions version '0';
       update pg_extension set extversion = '${version}', extowner = 'postgres'::regrole where extname = 'pg_cron';
       ${placeholder}; set local session authorization postgres; ${dependents};
       select cron.schedule('nightly', '0 3 * * *', 'vacuum');
       reset session authorization`,
      admin,
    );
    await query(migration ?? '', admin);
    expect(
      await query(
        `set local session authorization postgres; select cron.schedule('second', '@daily', 'vacuum');
         insert into cron.job_run_details (jobid, status) values (1, 'failed'); ${JOBS}`,
        admin,
      ),
    ).toMatchObject([{ jobname: 'nightly', username: 'postgres', active: true }, { jobname: 'second' }]);
    const read = dependents === '' ? 'cron.job_run_details' : 'public.failures';
    expect(await query(`select jobid, status from ${read}`, admin)).toEqual([
      { jobid: '1', status: 'failed' },
    ]);
    expect(
      await query(
        `select extversion, to_regclass('cron._placeholder_run_details') is not null as remains
         from pg_extension where extname = 'pg_cron'`,
        admin,
      ),
    ).toEqual([{ extversion: '1.6.4', remains: dependents !== '' }]);
  });
});
