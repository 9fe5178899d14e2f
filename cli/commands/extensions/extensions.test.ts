import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { add, list, placesOf, remove } from './extensions.ts';

let folder: string;
const path = process.env.PATH;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-extensions-command-'));
});
afterEach(async () => {
  process.env.PATH = path;
  await rm(folder, { recursive: true });
});

const project = () => ({ folder, supabaseFolder: join(folder, 'supabase') });

/** Runs the function of a command. */
function run(action: 'list' | 'add' | 'remove', ...operands: string[]): Promise<string[]> {
  const places = placesOf({
    databaseUrl: undefined,
    dataDirectory: join(folder, 'data'),
    project: project(),
  });
  if (action === 'list') return list(places);
  return action === 'add' ? add(places, operands) : remove(places, operands[0] ?? '');
}

/** Writes an extension of SQL only and returns its folder. */
async function writeExtension(name: string): Promise<string> {
  const target = join(folder, `source-${name}`);
  await mkdir(target);
  await writeFile(join(target, `${name}.control`), "default_version = '1.0'\n");
  await writeFile(join(target, `${name}--1.0.sql`), 'select 1;');
  return target;
}

/** Programs that the command calls, as shell scripts. `PATH` contains nothing else. */
async function havePrograms(programs: Record<string, string>): Promise<void> {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(bin, name), 0o755);
  }
  process.env.PATH = bin;
}

const added = () => readdir(join(folder, 'data', 'extensions', 'extension'));

describe('extensions add', () => {
  it('adds a folder, and lists and removes its extension', async () => {
    const source = await writeExtension('greeting');
    expect(await run('add', source)).toEqual([
      'Added greeting 1.0. To use it: create extension "greeting"',
      `The files are in ${join(folder, 'data', 'extensions')}.`,
    ]);
    expect(await run('list')).toContainEqual(expect.stringMatching(/^greeting +1\.0 +data folder$/));
    expect(await run('remove', 'greeting')).toEqual([
      'Removed greeting--1.0.sql, greeting.control.',
      'A database that uses greeting needs its files. To remove it there: drop extension "greeting"',
    ]);
    expect(await added()).toEqual([]);
  });

  it('adds the folder of a control file to a new data folder, which other users cannot read', async () => {
    const source = await writeExtension('greeting');
    await run('add', join(source, 'greeting.control'));
    expect((await stat(join(folder, 'data'))).mode & 0o066).toBe(0);
    expect(await added()).toEqual(['greeting--1.0.sql', 'greeting.control']);
  });

  it('adds several sources', async () => {
    await run('add', await writeExtension('one'), await writeExtension('two'));
    expect(await added()).toEqual(['one--1.0.sql', 'one.control', 'two--1.0.sql', 'two.control']);
  });

  it('unpacks a Debian package', async () => {
    const tree = join(folder, 'tree');
    await mkdir(join(tree, 'DEBIAN'), { recursive: true });
    await mkdir(join(tree, 'usr', 'share'), { recursive: true });
    await writeFile(
      join(tree, 'DEBIAN', 'control'),
      'Package: greeting\nVersion: 1\nArchitecture: all\nMaintainer: a <a@example.com>\nDescription: a\n',
    );
    await chmod(join(tree, 'DEBIAN'), 0o755);
    await writeFile(join(tree, 'usr', 'share', 'greeting.control'), "default_version = '1.0'\n");
    await writeFile(join(tree, 'usr', 'share', 'greeting--1.0.sql'), 'select 1;');
    const file = join(folder, 'greeting.deb');
    execFileSync('dpkg-deb', ['--build', '--root-owner-group', tree, file]);
    await run('add', file);
    expect(await added()).toEqual(['greeting--1.0.sql', 'greeting.control']);
  });

  it('downloads a package that apt knows', async () => {
    const source = await writeExtension('greeting');
    await havePrograms({
      'apt-get': `[ "$1 $2" = "download postgresql-18-greeting" ] && : > postgresql-18-greeting_1.deb`,
      'dpkg-deb': `/bin/cp ${source}/* "$3"`,
      getent: 'exec /usr/bin/getent "$@"',
    });
    await run('add', 'postgresql-18-greeting');
    expect(await added()).toEqual(['greeting--1.0.sql', 'greeting.control']);
  });

  it.each<[string, Record<string, string>, string, RegExp]>([
    [
      'a package without apt',
      {},
      'postgresql-18-a',
      /no folder or file "postgresql-18-a" here, and this system has no apt/,
    ],
    [
      'a package that apt does not know',
      { 'apt-get': 'echo "E: Unable to locate package postgresql-18-a" >&2; exit 100' },
      'postgresql-18-a',
      /^apt cannot download postgresql-18-a: Unable to locate package postgresql-18-a\nAdd a package repository/,
    ],
    [
      'a .deb file without dpkg-deb',
      {},
      'a.deb',
      /a\.deb cannot be unpacked, because this system has no dpkg-deb/,
    ],
    [
      'a damaged .deb file',
      { 'dpkg-deb': 'echo "dpkg-deb: error: not a Debian format archive" >&2; exit 2' },
      'a.deb',
      /a\.deb cannot be unpacked: not a Debian format archive/,
    ],
    ['another file', {}, 'a.zip', /a\.zip is not an extension\. Use a folder, a control file, a \.deb file/],
    ['a path that does not exist', {}, './none', /none does not exist\. Use a folder/],
  ])('rejects %s', async (_, programs, source, message) => {
    await Promise.all(['a.deb', 'a.zip'].map((name) => writeFile(join(folder, name), '')));
    await havePrograms({ ...programs, getent: 'exec /usr/bin/getent "$@"' });
    await expect(run('add', source.startsWith('a.') ? join(folder, source) : source)).rejects.toThrow(
      message,
    );
  });
});

it('lists the extensions of the project', async () => {
  const source = join(folder, 'supabase', 'extensions');
  await mkdir(source, { recursive: true });
  await writeFile(join(source, 'own.control'), "default_version = '1.0'\n");
  await writeFile(join(source, 'own--1.0.sql'), 'select 1;');
  expect(await run('list')).toContainEqual(expect.stringMatching(/^own +1\.0 +project$/));
  const outside = { databaseUrl: undefined, dataDirectory: join(folder, 'data'), project: undefined };
  expect((await list(placesOf(outside))).join()).not.toContain('own ');
});

it('refuses to run for an external database', () => {
  const config = { databaseUrl: 'postgresql://localhost/a', dataDirectory: folder, project: undefined };
  expect(() => placesOf(config)).toThrow('DATABASE_URL is set');
});
