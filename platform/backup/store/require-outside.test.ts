/** Archives in a folder that they back up. */
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStore } from './open-store.ts';
import { requireOutside } from './require-outside.ts';

let place: string;
let data: string;

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'greenroom-outside-'));
  data = join(place, 'data');
  await mkdir(join(data, 'backups'), { recursive: true });
  await mkdir(join(place, 'database'));
  await symlink(data, join(place, 'link'));
  await symlink(join(data, 'backups'), join(place, 'backups'));
  await symlink(join(place, 'database'), join(data, 'postgres'));
});
afterAll(() => rm(place, { recursive: true }));

it.each([
  ['the folder itself', () => data],
  ['an existing folder in it', () => join(data, 'backups')],
  ['a folder in it that does not exist', () => join(data, 'new/archive')],
  ['a file in it', () => join(data, 'backup.tar')],
  ['a relative path', () => relative(process.cwd(), join(data, 'backups'))],
  ['a path with ..', () => `${place}/other/../data/backups`],
  ['a URL', () => pathToFileURL(join(data, 'backups')).href],
  ['a path through a link to the folder', () => join(place, 'link/new/archive')],
  ['a link to a folder in it', () => join(place, 'backups')],
  ['a file behind a link', () => join(place, 'backups/backup.tar')],
  ['the target of a link in it', () => join(place, 'database/archive')],
])('an archive in a folder that is backed up is refused: %s', async (_name, where) => {
  const store = await openStore(where());
  await expect(requireOutside(store, [data, join(data, 'postgres')])).rejects.toMatchObject({
    kind: 'refused',
    message: expect.stringMatching(/ is in \/.*, which is backed up, /),
  });
});

it.each([
  ['next to it', () => join(place, 'data-backups')],
  ['above it', () => place],
  ['in a bucket', () => 's3://archive/data'],
])('an archive %s is accepted', async (_name, where) => {
  const store = await openStore(where());
  await requireOutside(store, [data, join(data, 'postgres'), join(data, 'missing')]);
  await store.close();
});
