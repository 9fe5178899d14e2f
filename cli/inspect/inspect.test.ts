/** `greenroom inspect` on one instance, which collects the statistics of statements. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REPORTS, reportNamed } from '@greenroom/inspect';
import { openSession, type Session } from '@greenroom/postgres';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PROGRAM, run } from '../run.ts';
import { createProjectInstance } from '../testing/project-instance.ts';

const MIGRATION = `
create table small (id int primary key, note text);
insert into small values (1, 'one');
create table bloated (id int primary key, filler text) with (
  autovacuum_enabled = false, autovacuum_vacuum_threshold = 10, autovacuum_vacuum_scale_factor = 0
);
insert into bloated select number, repeat('x', 100) from generate_series(1, 5000) as number;
create index bloated_filler on bloated (filler, lower(filler));
delete from bloated where id % 10 <> 0;
analyze bloated;
create role reader connection limit 7;
alter role reader set statement_timeout = '3s';`;

/** The columns of the Supabase CLI. */
const COLUMNS: Record<string, string> = {
  bloat: 'type,name,bloat,waste',
  blocking:
    'blocked_pid,blocking_statement,blocking_duration,blocking_pid,blocked_statement,blocked_duration',
  calls: 'query,total_exec_time,prop_exec_time,ncalls,sync_io_time',
  'collation-drift': 'database,name,table,columns,collation,stored_version,current_version,key_type,size',
  'db-stats':
    'name,database_size,total_index_size,total_table_size,total_toast_size,time_since_stats_reset,index_hit_rate,table_hit_rate,wal_size',
  'index-stats': 'name,table,columns,size,percent_used,index_scans,seq_scans,unused',
  locks: 'pid,relname,transactionid,granted,stmt,age',
  'long-running-queries': 'pid,duration,query',
  outliers: 'total_exec_time,prop_exec_time,ncalls,sync_io_time,query',
  'replication-slots': 'slot_name,active,state,replication_client_address,replication_lag_gb',
  'role-stats': 'role_name,active_connections,connection_limit,custom_config',
  'table-stats': 'name,table_size,index_size,total_size,estimated_row_count,seq_scans',
  'toast-sizes':
    'name,total_size,heap_size,toast_size,toast_live_chunks,toast_dead_chunks,toast_dead_pct,last_autovacuum,last_vacuum',
  'traffic-profile': 'schemaname,table_name,blocks_read,write_tuples,blocks_write,activity_ratio',
  'vacuum-stats':
    'name,last_vacuum,last_autovacuum,last_analyze,last_autoanalyze,rowcount,dead_rowcount,autovacuum_threshold,expect_autovacuum,autoanalyze_threshold,expect_autoanalyze',
  'xid-age': 'name,xid_age,transactions_remaining',
};

let project: Awaited<ReturnType<typeof createProjectInstance>>;
let output: string;
let owner: Session;
let admin: Session;
let ownerUrl: string;

beforeAll(async () => {
  [project, output] = await Promise.all([
    createProjectInstance({ 'migrations/1_tables.sql': MIGRATION }),
    mkdtemp(join(tmpdir(), 'greenroom-reports-')),
  ]);
  await project.start();
  ownerUrl = JSON.parse((await project.run(['status', '-o', 'json'])).output).DB_URL;
  const adminUrl = new URL(ownerUrl);
  adminUrl.username = 'supabase_admin';
  const keys = JSON.parse(await readFile(join(project.folder, '.greenroom', 'keys.json'), 'utf8'));
  adminUrl.password = encodeURIComponent(keys.databaseSuperuserPassword);
  owner = await openSession({ url: ownerUrl, applicationName: 'owner' });
  admin = await openSession({ url: adminUrl.href, applicationName: 'admin' });
});
afterAll(async () => {
  await Promise.all([owner.close(), admin.close()]);
  await project[Symbol.asyncDispose]();
  await rm(output, { recursive: true });
});

/** Runs a command in this process. */
async function inspect(...args: string[]) {
  const printed = { output: '', errors: '' };
  const collect = (stream: 'stdout' | 'stderr', name: keyof typeof printed) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      printed[name] += text;
      return true;
    });
  const spies = [collect('stdout', 'output'), collect('stderr', 'errors')];
  const code = await run(['inspect', ...args, '--project', project.folder]);
  for (const spy of spies) spy.mockRestore();
  return { code, ...printed };
}

/** The rows of a report about the instance. */
async function rowsOf(name: string): Promise<Record<string, unknown>[]> {
  const { code, output, errors } = await inspect('db', name, '-o', 'json', '--db-url', ownerUrl);
  expect([code, errors]).toEqual([0, '']);
  return JSON.parse(output);
}

const ask = async (session: Session, text: string) => (await session.batch([{ text }]))[0] ?? [];
/** Statistics of other sessions appear with the next flush. */
const flush = () => ask(owner, 'select pg_stat_force_next_flush()');

describe('a report', () => {
  it.each(Object.entries(COLUMNS))('%s has the columns of the Supabase CLI: %s', async (name, columns) => {
    const { code, output, errors } = await inspect('db', name, '-o', 'csv', '--db-url', ownerUrl);
    expect([code, errors]).toEqual([0, '']);
    expect(output.split('\n')[0]).toBe(columns);
  });

  it('is a command for each query but the one that only rules read', () => {
    const commands = PROGRAM.commands.filter(({ path, isHidden }) => path[1] === 'db' && !isHidden);
    const names = commands.filter(({ path }) => path[0] === 'inspect').map(({ path }) => path[2]);
    expect(names).toEqual(REPORTS.map(({ name }) => name).filter((name) => name !== 'unused-indexes'));
    expect(names).toEqual(Object.keys(COLUMNS));
  });

  it('is printed as a table with headings, and with statements on one line', async () => {
    await using holder = await openHolder('begin; select\n  1');
    const { code, output } = await inspect('db', 'locks');
    expect(code).toBe(0);
    expect(output).toMatch(/^ +Pid +\| +Relation +\| +Transaction id +\| +Granted +\| +Statement +\| +Age/);
    expect(output).toMatch(
      new RegExp(`^ +${holder.pid} \\| null +\\| null +\\| true +\\| select 1 +\\| \\d`, 'm'),
    );
    expect(output).toMatch(/\n\(\d+ rows?\)\n/);
  });

  it('has other names of earlier versions of the Supabase CLI, with a warning', async () => {
    const former = PROGRAM.commands.filter(({ path, isHidden }) => path[0] === 'inspect' && isHidden);
    expect(former).toHaveLength(12);
    for (const { path } of former) {
      const { code, output, errors } = await inspect(...path.slice(1), '-o', 'csv', '--db-url', ownerUrl);
      const [, current = ''] =
        /^warning: "inspect db [a-z-]+" is now "inspect db ([a-z-]+)"\n$/.exec(errors) ?? [];
      expect([code, output.split('\n')[0]]).toEqual([0, COLUMNS[current]]);
    }
    const group = await inspect('db');
    expect(group.errors).toContain('db-stats');
    expect(group.errors).not.toContain('cache-hit');
  });

  it('reports a database that does not respond, without its password', async () => {
    expect(await inspect('db', 'locks', '--db-url', 'postgresql://ada:secret@127.0.0.1:1/shop')).toEqual({
      code: 1,
      output: '',
      errors:
        'error: cannot connect to postgresql://ada@127.0.0.1:1/shop: connect ECONNREFUSED 127.0.0.1:1\n',
    });
  });

  it('names the right that a role lacks', async () => {
    await ask(owner, "create role outsider login password 'outside'");
    const url = new URL(ownerUrl);
    url.username = 'outsider';
    url.password = 'outside';
    expect(await inspect('db', 'db-stats', '--db-url', url.href)).toMatchObject({
      code: 1,
      errors: 'error: db-stats cannot be read: permission denied for schema extensions\n',
    });
  });
});

/** Opens a session that keeps its transaction open. */
async function openHolder(sql: string) {
  const session = await openSession({ url: ownerUrl, applicationName: 'holder' });
  const [{ pid } = {}] = await ask(session, 'select pg_backend_pid() as pid');
  for (const text of sql.split('; ')) await ask(session, text);
  return { pid, [Symbol.asyncDispose]: () => session.close() };
}

describe('a lock that another session holds', () => {
  const UPDATE = "update small set note = 'waiting' where id = 1";

  it('is listed by locks, and by blocking with the statement that waits for it', async () => {
    const waiting = await openSession({ url: ownerUrl, applicationName: 'waiting' });
    const [{ pid } = {}] = await ask(waiting, 'select pg_backend_pid() as pid');
    let update: Promise<unknown> | undefined;
    try {
      const sql = "begin; update small set note = 'held'; lock table bloated";
      await using holder = await openHolder(sql);
      update = ask(waiting, UPDATE);
      const state = `select wait_event_type from pg_stat_activity where pid = ${pid}`;
      await expect.poll(async () => ask(admin, state)).toEqual([{ wait_event_type: 'Lock' }]);

      expect(await rowsOf('blocking')).toEqual([
        {
          blocked_pid: pid,
          blocking_statement: 'lock table bloated',
          blocking_duration: expect.stringMatching(/^\d\d:\d\d:\d\d/),
          blocking_pid: holder.pid,
          blocked_statement: UPDATE,
          blocked_duration: expect.stringMatching(/^\d\d:\d\d:\d\d/),
        },
      ]);
      expect(await rowsOf('locks')).toContainEqual({
        pid: holder.pid,
        relname: 'bloated',
        transactionid: 'null',
        granted: true,
        stmt: 'lock table bloated',
        age: expect.stringMatching(/^\d\d:\d\d:\d\d/),
      });
    } finally {
      await update;
      await waiting.close();
    }
  });
});

it('long-running-queries lists statements and open transactions above its age, but no younger ones', async () => {
  await using holder = await openHolder('begin; select 3');
  expect(await rowsOf('long-running-queries')).toEqual([]);
  const sql = reportNamed('long-running-queries').query({ statements: undefined });
  const rows = await ask(owner, sql.replace("interval '5 minutes'", "interval '0'"));
  expect(rows).toContainEqual({ pid: holder.pid, duration: expect.any(String), query: 'select 3' });
});

describe('statistics of statements', () => {
  it('are listed by calls in the order of the number of calls', async () => {
    const statement = { text: 'select note from small where id = $1', values: [1] };
    await owner.batch(Array.from({ length: 2000 }, () => statement));
    const rows = await rowsOf('calls');
    expect(rows.length).toBeLessThanOrEqual(10);
    expect(rows[0]).toEqual({
      query: statement.text,
      total_exec_time: expect.stringMatching(/^\d\d:\d\d:\d\d/),
      prop_exec_time: expect.stringMatching(/^\d+\.\d%$/),
      ncalls: '2,000',
      sync_io_time: '00:00:00',
    });
  });

  it('are listed by outliers in the order of the total time, for all roles', async () => {
    await ask(admin, 'select pg_sleep(1.5) as waited');
    const rows = await rowsOf('outliers');
    expect(rows).toContainEqual({
      query: 'select pg_sleep($1) as waited',
      total_exec_time: expect.stringMatching(/^00:00:0[1-9]/),
      prop_exec_time: expect.stringMatching(/^\d+\.\d%$/),
      ncalls: '1',
      sync_io_time: '00:00:00',
    });
    const times = rows.map((row) => String(row.total_exec_time));
    expect(times).toEqual(times.toSorted().reverse());
  });
});

describe('statistics of relations', () => {
  const bloated = (rows: Record<string, unknown>[]) => rows.filter(({ name }) => name === 'public.bloated');

  it('show the space of deleted rows in bloat', async () => {
    const rows = await rowsOf('bloat');
    const found = (name: string) => rows.find((row) => row.name === name);
    expect(found('public.bloated')).toEqual({
      type: 'table',
      name: 'public.bloated',
      bloat: expect.toSatisfy((ratio) => ratio > 5),
      waste: expect.stringMatching(/^\d+ kB$/),
    });
    expect(found('public.bloated::bloated_pkey')).toMatchObject({
      type: 'index',
      bloat: expect.toSatisfy((ratio) => ratio > 2),
    });
    expect(rows.filter(({ name }) => /^(auth|storage|pg_catalog|greenroom)\./.test(String(name)))).toEqual(
      [],
    );
  });

  it('show sizes, rows and scans in table-stats', async () => {
    await ask(owner, 'select count(*) from bloated');
    await flush();
    expect(bloated(await rowsOf('table-stats'))).toEqual([
      {
        name: 'public.bloated',
        table_size: expect.stringMatching(/^\d+ kB$/),
        index_size: expect.stringMatching(/^\d+ kB$/),
        total_size: expect.stringMatching(/^\d+ kB$/),
        estimated_row_count: 500,
        seq_scans: expect.toSatisfy((count) => count > 0),
      },
    ]);
  });

  it('show used and unused indexes in index-stats', async () => {
    await ask(owner, 'select filler from bloated where id = 10');
    await flush();
    const rows = await rowsOf('index-stats');
    expect(rows).toContainEqual(
      expect.objectContaining({
        name: 'public.bloated_filler',
        table: 'public.bloated',
        columns: 'filler,lower(filler)',
        percent_used: '0%',
        index_scans: 0,
        unused: true,
      }),
    );
    const used = rows.find(({ name }) => name === 'public.bloated_pkey');
    expect(used).toMatchObject({ unused: false, percent_used: expect.stringMatching(/^\d+\.\d%$/) });
    expect(used?.index_scans).toBeGreaterThan(0);
  });

  it('show due runs of autovacuum in vacuum-stats, by the parameters of the table', async () => {
    expect(bloated(await rowsOf('vacuum-stats'))).toEqual([
      {
        name: 'public.bloated',
        last_vacuum: '',
        last_autovacuum: '',
        last_analyze: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/),
        last_autoanalyze: '',
        rowcount: '500',
        dead_rowcount: '4,500',
        autovacuum_threshold: '10',
        expect_autovacuum: 'yes',
        autoanalyze_threshold: '100',
        expect_autoanalyze: expect.stringMatching(/^(yes|no)$/),
      },
    ]);
  });

  it('show reads from disk and writes in traffic-profile', async () => {
    await ask(admin, 'create extension if not exists pg_buffercache');
    await ask(admin, "select pg_buffercache_evict_relation('public.bloated')");
    await ask(owner, 'select count(*) from bloated');
    await flush();
    const rows = await rowsOf('traffic-profile');
    expect(rows.find((row) => row.table_name === 'bloated')).toEqual({
      schemaname: 'public',
      table_name: 'bloated',
      blocks_read: expect.toSatisfy((count) => count > 50),
      write_tuples: 9500,
      blocks_write: expect.toSatisfy((count) => count > 0),
      activity_ratio: expect.stringMatching(/^\d+\.\d:1 \(Write-Heavy\)$/),
    });
  });
});

it('toast-sizes shows long values, also those of deleted rows', async () => {
  await ask(owner, 'create table long (id int primary key, text text) with (autovacuum_enabled = false)');
  await ask(owner, 'alter table long alter column text set storage external');
  await ask(owner, "insert into long select number, repeat('x', 10000) from generate_series(1, 4) as number");
  await ask(owner, 'delete from long where id = 1');
  await flush();
  const found = (await rowsOf('toast-sizes')).find(({ name }) => name === 'public.long');
  // A value consists of chunks of 1,996 bytes.
  expect(found).toMatchObject({ toast_live_chunks: 18, toast_dead_chunks: 6, toast_dead_pct: 25 });
  expect(found?.toast_size).toMatch(/^\d+ kB$/);
});

it('xid-age shows the transactions since a table was frozen', async () => {
  const ageOf = async (table: string) => (await rowsOf('xid-age')).find(({ name }) => name === table);
  const before = Number((await ageOf('public.small'))?.xid_age);
  for (let count = 0; count < 3; count += 1) await ask(owner, 'select pg_current_xact_id()');
  const after = await ageOf('public.small');
  expect(after?.xid_age).toBeGreaterThanOrEqual(before + 3);
  expect(after?.transactions_remaining).toBe(2_000_000_000 - Number(after?.xid_age));
});

it('collation-drift shows an index that was built with another version of its collation', async () => {
  expect(await rowsOf('collation-drift')).toEqual([]);
  await ask(owner, "create collation german (provider = icu, locale = 'de')");
  await ask(owner, 'create unique index small_note on small (note collate german)');
  const [{ version } = {}] = await ask(
    admin,
    "update pg_collation set collversion = '1' where collname = 'german' returning pg_collation_actual_version(oid) as version",
  );
  expect(await rowsOf('collation-drift')).toEqual([
    {
      database: 'postgres',
      name: 'public.small_note',
      table: 'public.small',
      columns: 'note',
      collation: 'public.german',
      stored_version: '1',
      current_version: version,
      key_type: 'UNIQUE',
      size: '16 kB',
    },
  ]);
  await ask(owner, 'drop index small_note');
});

it('db-stats shows sizes of database and log, and hit rates', async () => {
  expect(await rowsOf('db-stats')).toEqual([
    {
      name: 'postgres',
      database_size: expect.stringMatching(/^\d+ [kM]B$/),
      total_index_size: expect.stringMatching(/^\d+ kB$/),
      total_table_size: expect.stringMatching(/^\d+ kB$/),
      total_toast_size: expect.stringMatching(/^\d+ kB$/),
      time_since_stats_reset: expect.stringMatching(/^\d\d:\d\d:\d\d/),
      index_hit_rate: expect.stringMatching(/^[01]\.\d\d$/),
      table_hit_rate: expect.stringMatching(/^[01]\.\d\d$/),
      wal_size: expect.stringMatching(/^\d+ MB$/),
    },
  ]);
});

it('replication-slots shows a slot that nothing reads', async () => {
  await ask(admin, "select pg_create_logical_replication_slot('observed', 'pgoutput')");
  expect(await rowsOf('replication-slots')).toContainEqual({
    slot_name: 'observed',
    active: false,
    state: 'N/A',
    replication_client_address: 'N/A',
    replication_lag_gb: 0,
  });
  await ask(admin, "select pg_drop_replication_slot('observed')");
});

it('role-stats shows connections, limits and settings of roles', async () => {
  const rows = await rowsOf('role-stats');
  expect(rows).toContainEqual({
    role_name: 'reader',
    active_connections: 0,
    connection_limit: 7,
    custom_config: 'statement_timeout=3s',
  });
  const postgres = rows.find((row) => row.role_name === 'postgres');
  expect(postgres?.active_connections).toBeGreaterThan(0);
  expect(postgres?.connection_limit).toBe(100);
});

const FILES = REPORTS.map(({ name }) => `${name.replaceAll('-', '_')}.csv`);
const report = (...args: string[]) => inspect('report', '--output-dir', output, ...args);

describe('inspect report', () => {
  it('writes each report into a folder of the day, and checks the default rules', async () => {
    const { code, output: summary, errors } = await report();
    const [folder = ''] = await readdir(output);
    expect(folder).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect([code, errors]).toEqual([0, `wrote 17 reports to ${join(output, folder)}\n`]);
    expect((await readdir(join(output, folder))).toSorted()).toEqual(FILES.toSorted());
    for (const [name, columns] of Object.entries(COLUMNS)) {
      const file = join(output, folder, `${name.replaceAll('-', '_')}.csv`);
      expect((await readFile(file, 'utf8')).split('\n')[0]).toBe(columns);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    }
    const unused = await readFile(join(output, folder, 'unused_indexes.csv'), 'utf8');
    expect(unused).toMatch(/^name,index,index_size,index_scans\npublic\.bloated,bloated_filler,\d+ kB,0\n$/);
    expect(summary).toMatch(/^ +Rule +\| +Status +\| +Matches\s/);
    expect(summary).toMatch(/^ No ungranted locks +\| ✔ +\| -$/m);
    expect(summary).toMatch(/^ No unused indexes +\| An index is hardly used +\| bloated_filler$/m);
    expect(summary).toMatch(/^ No bloat of more than factor 4 +\| A table or index is .* \| \d matches$/m);
  });

  it('checks the rules of config.toml', async () => {
    const rule = (name: string, query: string) =>
      `[[experimental.inspect.rules]]\nname = "${name}"\nquery = """${query}"""\npass = "as it should be"\nfail = "look at it"\n`;
    await project.write(
      'config.toml',
      rule('readers', "SELECT LISTAGG(role_name, ',') FROM `role_stats.csv` WHERE connection_limit < 10") +
        rule('dead rows', 'SELECT name FROM `vacuum_stats.csv` WHERE dead_rowcount > 9999;') +
        rule('typo', 'SELECT name FROM `vacuum.csv`'),
    );
    const { code, output: printed } = await report('--db-url', ownerUrl, '-o', 'json');
    await project.write('config.toml', '');
    expect(code).toBe(0);
    const { outputDir, files, rules } = JSON.parse(printed);
    expect(rules).toEqual([
      { name: 'readers', status: 'look at it', matches: 'reader' },
      { name: 'dead rows', status: 'as it should be', matches: '-' },
      { name: 'typo', status: 'error: no such table: vacuum.csv', matches: '-' },
    ]);
    expect(files).toHaveLength(17);
    expect(files).toContainEqual({ name: 'db_stats', path: join(outputDir, 'db_stats.csv') });
  });

  it('names a folder that cannot be written', async () => {
    const file = join(output, 'file');
    await writeFile(file, '');
    const result = await inspect('report', '--output-dir', file, '--db-url', ownerUrl);
    expect(result).toMatchObject({ code: 1, output: '' });
    expect(result.errors).toMatch(/^error: cannot write .*file\/\d{4}-\d\d-\d\d: ENOTDIR/);
  });
});

it('the database of a stopped instance can be inspected, too', async () => {
  await Promise.all([owner.close(), admin.close()]);
  await project.stop();
  const { code, output, errors } = await project.run(['inspect', 'db', 'table-stats', '-o', 'json']);
  expect(code, errors).toBe(0);
  expect(JSON.parse(output)).toContainEqual(expect.objectContaining({ name: 'public.bloated' }));
});

describe('an instance that does not load the statistics of statements', () => {
  beforeAll(async () => {
    await writeFile(join(project.folder, '.greenroom/postgresql.conf'), "shared_preload_libraries = ''\n");
    await project.start();
  });

  it('has no reports of them, and the error names the setting', async () => {
    for (const name of ['calls', 'outliers']) {
      const { code, output, errors } = await inspect('db', name);
      expect([code, output]).toEqual([1, '']);
      expect(errors).toMatch(
        /^error: (calls|outliers) cannot be read: the database does not load pg_stat_statements\. Add shared_preload_libraries = /,
      );
    }
  });

  it('leaves their files out of inspect report, and removes those of the same day', async () => {
    const { code, errors } = await report();
    expect(code).toBe(0);
    expect(errors).toMatch(
      /^wrote 15 reports to .*\nwithout calls\.csv and outliers\.csv: the database does not load/,
    );
    const [folder = ''] = await readdir(output);
    expect((await readdir(join(output, folder))).toSorted()).toEqual(
      FILES.filter((name) => !/^(calls|outliers)/.test(name)).toSorted(),
    );
  });
});
