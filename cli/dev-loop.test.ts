/** `greenroom dev` follows the files of a project. Pages are disabled, because they need a build. */
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '@greenroom/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProjectInstance } from './testing/project-instance.ts';

type ProjectInstance = Awaited<ReturnType<typeof createProjectInstance>>;

const CONFIG = '[auth]\nenabled = false\n[api]\nmax_rows = 100\n';

let project: ProjectInstance;
let server: ReturnType<ProjectInstance['spawn']>;
/** Length of the output that earlier steps have seen. */
let seen = 0;

beforeAll(async () => {
  project = await createProjectInstance({
    'config.toml': CONFIG,
    'migrations/1_a.sql': 'create table a (id int);',
    'migrations/2_draft.sql': '-- not written yet\n',
  });
  server = project.spawn(['dev']);
});
afterAll(() => project[Symbol.asyncDispose]());

/** Returns the output since the last call when it matches. */
async function next(pattern: RegExp): Promise<string> {
  const printed = await server.waitFor(pattern, seen);
  const output = printed.slice(seen);
  seen = printed.length;
  return output;
}

async function query(sql: string) {
  const record = await readFile(join(project.folder, '.greenroom', 'instance.json'), 'utf8');
  const { databaseUrl } = JSON.parse(record).credentials;
  const database = openDatabase({ url: databaseUrl, max: 1, applicationName: 'test' });
  return database.query({ text: sql }).finally(() => database.close());
}

const migration = (name: string) => join(project.folder, 'supabase', 'migrations', name);

describe('greenroom dev', () => {
  it('starts without a migration that is not written yet', async () => {
    const printed = await next(/^ready /m);
    expect(printed).toMatch(/2_draft.sql has no statement yet; it is applied when it has\n/);
    expect(printed).toMatch(/following the files of the project[\s\S]*\nready .*\n$/);
  });

  it('applies migrations when they are written, also by a rename', async () => {
    await project.write('migrations/2_draft.sql', 'create table b (id int);');
    expect(await next(/applied 1 migration/)).toMatch(/applying 2_draft.sql/);
    await project.write('new.sql', 'create table c (id int);');
    await rename(join(project.folder, 'supabase', 'new.sql'), migration('3_c.sql'));
    expect(await next(/applied 1 migration/)).toMatch(/applying 3_c.sql/);
    expect(await query("select to_regclass('b') is not null and to_regclass('c') is not null as ok")).toEqual(
      [{ ok: true }],
    );
  });

  it('shows the place of a failed statement, stays up, and applies the mended file', async () => {
    await project.write('migrations/4_d.sql', 'create table d ();\nselect nope;');
    expect(await next(/Nothing of this file was kept/)).toMatch(
      /error: supabase\/migrations\/4_d.sql, line 2, statement 2: column "nope" does not exist[\s\S]*\n {2}\| +\^/,
    );
    await project.write('migrations/4_d.sql', 'create table d ();');
    expect(await next(/applied 1 migration/)).toMatch(/applying 4_d.sql/);
  });

  it('reports an applied migration that was edited, once for each change', async () => {
    await project.write('migrations/1_a.sql', 'create table a (id bigint);');
    expect(await next(/migration repair --status applied 1/)).toMatch(/warning: 1_a.sql was edited/);
    await project.write('migrations/5_e.sql', 'create table e ();');
    expect(await next(/applied 1 migration/)).not.toMatch(/1_a.sql/);
    await project.write('migrations/1_a.sql', 'create table a (id text);');
    await next(/warning: 1_a.sql was edited/);
  });

  it('reloads config.toml and env files', async () => {
    await project.write('config.toml', CONFIG.replace('100', '7'));
    expect(await next(/settings reloaded.*\n/)).toMatch(/api.max_rows: "100" → "7"\n/);
    await project.write('.env.local', 'PGRST_DB_MAX_ROWS=8\n');
    expect(await next(/settings reloaded.*\n/)).toMatch(/api.max_rows: "7" → "8"\n/);
  });

  it('creates and changes the buckets that config.toml declares', async () => {
    await project.write('config.toml', `${CONFIG}[storage.buckets.images]\n`);
    await next(/creating the bucket images/);
    await project.write('config.toml', `${CONFIG}[storage.buckets.images]\npublic = true\n`);
    await next(/changing the bucket images/);
    const isPublic = () => query("select public from storage.buckets where id = 'images'");
    await expect.poll(isPublic).toEqual([{ public: true }]);
  });

  it('names the line of a mistake in config.toml, and stays up', async () => {
    await project.write('config.toml', `${CONFIG}[storage\n`);
    expect(await next(/not valid TOML/)).toMatch(
      /error: the settings were not reloaded; the former ones stay active.\nsupabase\/config.toml:5:/,
    );
    await project.write('config.toml', CONFIG);
    await next(/settings reloaded/);
  });

  it('follows a folder that was removed and created again', async () => {
    await rm(join(project.folder, 'supabase', 'migrations'), { recursive: true });
    await next(/error: the database has migrations whose files are missing/);
    for (const [name, sql] of [
      ['1_a', 'create table a (id int)'],
      ['2_draft', 'create table b (id int)'],
      ['3_c', 'create table c (id int)'],
      ['4_d', 'create table d ()'],
      ['5_e', 'create table e ()'],
      ['6_f', 'create table f ()'],
    ]) {
      await project.write(`migrations/${name}.sql`, `${sql};`);
    }
    await next(/applying 6_f.sql/);
  });

  it('stops on a signal', async () => {
    await project.stop();
    expect(server.child.exitCode).toBe(0);
  });
});
