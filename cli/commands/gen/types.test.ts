/** `greenroom gen types` and `greenroom dev --types` on one project. */
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProjectInstance } from '../../testing/project-instance.ts';

type ProjectInstance = Awaited<ReturnType<typeof createProjectInstance>>;

const CONFIG = '[api]\nschemas = ["public", "shop", "missing"]\n[auth]\nenabled = false\n';

let project: ProjectInstance;

beforeAll(async () => {
  project = await createProjectInstance({
    'config.toml': CONFIG,
    'migrations/1_a.sql': 'create schema shop; create table shop.item (id int primary key);',
  });
});
afterAll(() => project[Symbol.asyncDispose]());

const types = (...args: string[]) => project.run(['gen', 'types', ...args]);
const at = (name: string) => join(project.folder, name);
const read = (name: string) => readFile(at(name), 'utf8');

describe('gen types of a stopped instance', () => {
  it('warns of migrations that are not applied, and prints only types to the standard output', async () => {
    const { code, output, errors } = await types();
    expect(code).toBe(0);
    expect(output).toMatch(/^export type Json =/);
    expect(output).not.toContain('item');
    expect(errors).toBe(
      'warning: the types lack migrations that are not applied: 1. Apply them: greenroom migration up\n',
    );
  });

  it('describes public and the exposed schemas', async () => {
    expect((await project.run(['migration', 'up'])).code).toBe(0);
    const { output, errors } = await types('--local', 'typescript');
    expect(errors).toBe('');
    expect(output).toContain('  public: {');
    expect(output).toMatch(/ {2}shop: \{\n {4}Tables: \{\n {6}item: \{/);
    expect(output).not.toContain('missing');
  });

  it('has the requested language, schemas and access level, within the time limit', async () => {
    const own = ['--lang', 'swift', '--swift-access-control', 'public', '-s', 'shop'];
    const { output, errors } = await types(...own, '--query-timeout', '1m');
    expect(errors).toBe('');
    expect(output).toMatch(/^ *public (enum|struct) .*Item/m);
    expect(output).not.toContain('PublicSchema');
    const late = await types('--query-timeout', '1ms');
    expect([late.code, late.output]).toEqual([1, '']);
    expect(late.errors).toMatch(/time/);
  });

  it('does not follow it', async () => {
    expect(await types('--watch', '-o', 'x.ts')).toEqual({
      code: 1,
      output: '',
      errors: 'error: --watch follows a running instance. Start it first: greenroom start\n',
    });
  });
});

describe('gen types', () => {
  it.each([
    ['an unknown language', ['gen', 'types', 'rust'], /^error: --lang="rust" is not allowed/],
    [
      'an unknown schema',
      ['gen', 'types', '-s', 'shop,none', '-o', 'x.ts'],
      /^error: the database has no schema none\. Its schemas: .*shop/,
    ],
    [
      'a server that does not respond',
      ['gen', 'types', '-o', 'x.ts', '--db-url', 'postgresql://ada:secret@127.0.0.1:1/postgres'],
      /^error: cannot connect to 127\.0\.0\.1:1: connect ECONNREFUSED 127\.0\.0\.1:1\n$/,
    ],
    [
      'a missing folder',
      ['gen', 'types', '-o', 'none/x.ts'],
      /^error: cannot write none\/x\.ts: the folder .*none does not exist/,
    ],
    [
      'another kind of file for the types in development',
      ['dev', '--types', 'x.go'],
      /^error: --types="x\.go" is not allowed\. Allowed: the path of a TypeScript file/,
    ],
    ['a missing folder in development', ['dev', '--types', 'none/x.ts'], /^error: cannot write none\/x\.ts/],
  ])('rejects %s with one message, and writes nothing', async (_, args, message) => {
    const { code, output, errors } = await project.run(args);
    expect([code, output, errors]).toEqual([1, '', expect.stringMatching(message)]);
    expect(await readdir(project.folder)).not.toContain('x.ts');
  });

  it('rejects a folder that is no project', async () => {
    const { code, errors } = await project.run(['gen', 'types'], { cwd: tmpdir() });
    expect([code, errors]).toEqual([1, expect.stringContaining(`${tmpdir()} is not a project`)]);
  });
});

describe('dev --types', () => {
  let server: ReturnType<ProjectInstance['spawn']>;

  beforeAll(async () => {
    server = project.spawn(['dev', '--types', 'database.types.ts']);
    await server.waitFor(/^ready /m);
    await server.waitFor(/ {2}wrote database\.types\.ts\n/);
  });

  it('writes the types that gen types prints', async () => {
    const { output, errors } = await types();
    expect(await read('database.types.ts')).toBe(output);
    expect(errors).toBe('');
  });

  it('writes them again when a migration is applied', async () => {
    const seen = server.printed().length;
    await project.write('migrations/3_b.sql', 'create table b (id int);');
    await server.waitFor(/wrote database\.types\.ts/, seen);
    expect(await read('database.types.ts')).toMatch(/ {6}b: \{/);
  });

  it('does not write types that have not changed', async () => {
    const seen = server.printed().length;
    await project.write('migrations/4_index.sql', 'create index on b (id);');
    await project.write('migrations/5_c.sql', 'create table c (id int);');
    await server.waitFor(/wrote database\.types\.ts/, seen);
    expect(await read('database.types.ts')).toMatch(/ {6}c: \{/);
    expect(server.printed().slice(seen).match(/wrote/g)).toHaveLength(1);
  });

  it('lets gen types follow the same instance, until Ctrl-C', async () => {
    const record = JSON.parse(await read('.greenroom/instance.json'));
    const watcher = project.follow(['gen', 'types', 'go', '--watch', '-o', 'types.go']);
    await watcher.waitFor(/wrote types\.go\nfollowing the schema of postgresql:\/\/postgres@127/);
    await project.query('create table watched (id int)');
    await watcher.waitFor(/(wrote types\.go[\s\S]*){2}/);
    const byUrl = await types('go', '--db-url', record.credentials.databaseUrl, '-s', 'public,shop');
    expect(await read('types.go')).toBe(byUrl.output);
    expect(byUrl.output).toMatch(/Watched[\s\S]*\}\n$/);
    const ended = once(watcher.child, 'exit');
    watcher.child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    expect(await read('types.go')).toBe(byUrl.output);
  });

  it('stops on a signal', async () => {
    await project.stop();
    expect(server.child.exitCode).toBe(0);
    expect((await readdir(project.folder)).filter((name) => name.includes('partial'))).toEqual([]);
  });
});

describe('gen types of a damaged database', () => {
  it('reports why it does not start, and keeps the file', async () => {
    const before = await read('database.types.ts');
    await rm(at('.greenroom/postgres/global/pg_control'));
    const { code, output, errors } = await types('-o', 'database.types.ts');
    expect([code, output, errors]).toEqual([1, '', expect.stringMatching(/^error: .*did not start.*\n$/)]);
    expect(await read('database.types.ts')).toBe(before);
  });
});
