import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { findExtensionFiles, LIBRARY_SUFFIX } from './find-files.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-find-files-'));
  return () => rm(folder, { recursive: true });
});

async function write(...names: string[]): Promise<void> {
  for (const name of names) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), name);
  }
}

it('returns nothing for a folder that does not exist', () => {
  expect(findExtensionFiles(join(folder, 'none'))).toEqual([]);
});

it('finds control files, versioned scripts and libraries in any layout, and ignores other files', async () => {
  const library = `usr/lib/postgresql/18/lib/vector${LIBRARY_SUFFIX}`;
  await write(
    'usr/share/postgresql/18/extension/vector.control',
    'usr/share/postgresql/18/extension/vector--0.8.0.sql',
    'usr/share/postgresql/18/extension/vector--0.7.0--0.8.0.sql',
    library,
    'usr/lib/postgresql/18/lib/bitcode/vector--1.sql',
    'node_modules/a/a.control',
    'sql/vector.sql',
    'README.md',
  );
  const found = findExtensionFiles(folder);
  expect(found.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'script vector--0.7.0--0.8.0.sql',
    'script vector--0.8.0.sql',
    'control vector.control',
    `library vector${LIBRARY_SUFFIX}`,
  ]);
});

it.each([
  ['gets the name of its scripts', ['map-3.control', 'map--3.7.sql'], ['map--3.7.sql', 'map.control']],
  [
    'keeps its name if it has scripts',
    ['map-3.control', 'map-3--1.sql', 'map--3.7.sql'],
    ['map--3.7.sql', 'map-3--1.sql', 'map-3.control'],
  ],
  [
    'keeps its name if another control file has that of the scripts',
    ['map-3.control', 'map.control', 'map--3.7.sql'],
    ['map--3.7.sql', 'map-3.control', 'map.control'],
  ],
])('a control file with a version in its name %s', async (_, names, expected) => {
  await write(...names);
  expect(findExtensionFiles(folder).map(({ name }) => name)).toEqual(expected);
});

it('follows a link within the folder', async () => {
  await write('a--1.sql');
  await symlink('a--1.sql', join(folder, 'a--2.sql'));
  expect(findExtensionFiles(folder).map(({ name }) => name)).toEqual(['a--1.sql', 'a--2.sql']);
});

it.each([
  ['out of the folder', '/etc/passwd', /a\.control is a link out of the folder, to \/etc\/passwd/],
  ['to a missing file', 'none', /a\.control is a link to a file that does not exist/],
  ['to a folder', '.', /is not a file/],
])('rejects a link %s', async (_, target, message) => {
  await symlink(target, join(folder, 'a.control'));
  expect(() => findExtensionFiles(folder)).toThrow(message);
});

it('rejects two files with one name', async () => {
  await write('one/a.control', 'two/a.control');
  expect(() => findExtensionFiles(folder)).toThrow(/contains a\.control twice/);
});
