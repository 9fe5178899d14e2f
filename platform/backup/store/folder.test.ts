/** Faults and permissions of the folder store; `archive-store.test.ts` has the behaviour of all stores. */
import { randomBytes } from 'node:crypto';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ArchiveError } from '../errors.ts';
import { fileError } from './file-error.ts';
import { openFolderStore } from './folder.ts';
import { listAll } from './list-all.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-archive-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('creates folders with mode 0700 and files with mode 0600', async () => {
  const root = join(folder, 'parent', 'modes');
  await openFolderStore(root).put('a/b', randomBytes(10));
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
  expect(await modeOf(join(folder, 'parent'))).toBe('700');
  expect(await modeOf(root)).toBe('700');
  expect(await modeOf(join(root, 'a'))).toBe('700');
  expect(await modeOf(join(root, 'a/b'))).toBe('600');
});

it('leaves no temporary file after a write', async () => {
  const root = join(folder, 'partial');
  const store = openFolderStore(root);
  await store.put('a', randomBytes(10));
  await store.putIfAbsent('a', randomBytes(10));
  await store.putIfAbsent('b', randomBytes(10));
  expect((await readdir(root)).toSorted()).toEqual(['a', 'b']);
});

it('shows values that are put later only when they are flushed', async () => {
  const root = join(folder, 'later');
  const store = openFolderStore(root);
  await store.putLater('chunks/a', Buffer.from('a'));
  expect(await listAll(store, '')).toEqual([]);
  await expect(store.get('chunks/a')).rejects.toMatchObject({ kind: 'missing' });
  await store.flush();
  expect(await readdir(join(root, 'chunks'))).toEqual(['a']);
  expect(((await stat(join(root, 'chunks/a'))).mode & 0o777).toString(8)).toBe('600');
});

it('keeps no value of a flush that fails', async () => {
  const root = join(folder, 'failed');
  const store = openFolderStore(root);
  await store.putLater('chunks/a', Buffer.from('a'));
  await mkdir(join(root, 'chunks/a'));
  await writeFile(join(root, 'chunks/a/in-the-way'), '');
  await expect(store.flush()).rejects.toBeInstanceOf(ArchiveError);
  expect(await readdir(join(root, 'chunks'))).toEqual(['a']);
});

it('neither lists nor keeps temporary files of killed processes', async () => {
  const root = join(folder, 'killed');
  const store = openFolderStore(root);
  await store.put('chunks/new', randomBytes(10));
  await writeFile(join(root, 'chunks/old.00.partial'), 'x');
  await writeFile(join(root, 'chunks/fresh.00.partial'), 'x');
  await utimes(join(root, 'chunks/old.00.partial'), 1, 1);
  expect((await listAll(store, '')).map(({ name }) => name)).toEqual(['chunks/new']);
  await store.removeAbandoned(new Date(2000));
  expect((await readdir(join(root, 'chunks'))).toSorted()).toEqual(['fresh.00.partial', 'new']);
});

it('follows a link to the folder of the archive, and no link in it', async () => {
  const [outside, root, link] = [join(folder, 'outside'), join(folder, 'inside'), join(folder, 'link')];
  await mkdir(outside);
  await writeFile(join(outside, 'secret'), 'secret');
  await openFolderStore(root).put('a', Buffer.from('a'));
  await symlink(root, link);
  await symlink(outside, join(root, 'folder'));
  await symlink(join(outside, 'secret'), join(root, 'file'));
  const store = openFolderStore(link);
  expect(await store.get('a')).toEqual(Buffer.from('a'));
  const refused = { kind: 'refused', message: expect.stringContaining('symbolic link') };
  await expect(store.get('file')).rejects.toMatchObject(refused);
  await expect(store.get('folder/secret')).rejects.toMatchObject(refused);
  await expect(store.put('folder/new', Buffer.from('x'))).rejects.toMatchObject(refused);
  await expect(listAll(store, 'folder/')).rejects.toMatchObject(refused);
  expect((await listAll(store, '')).map(({ name }) => name)).toEqual(['a']);
  await expect(store.remove(['folder/secret'])).rejects.toMatchObject(refused);
  await store.put('file', Buffer.from('replaced'));
  expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('secret');
  expect(await readdir(outside)).toEqual(['secret']);
});

it('refuses a file in the place of a folder', async () => {
  const root = join(folder, 'file');
  await writeFile(root, '');
  await expect(openFolderStore(root).put('a', Buffer.from('x'))).rejects.toMatchObject({
    kind: 'refused',
    message: expect.stringContaining(root),
  });
});

it.skipIf(process.getuid?.() === 0)('names a folder without permission', async () => {
  const root = join(folder, 'forbidden');
  await mkdir(root);
  await chmod(root, 0o500);
  await expect(openFolderStore(root).put('a', Buffer.from('x'))).rejects.toMatchObject({
    kind: 'refused',
    message: expect.stringContaining('no permission'),
  });
});

it('an entry that another user has written is reported with the way to change its owner', () => {
  const cause = Object.assign(new Error('EACCES: broken'), { code: 'EACCES' });
  expect(fileError(cause, '/archive/x', 'read')).toMatchObject({
    kind: 'refused',
    message: expect.stringMatching(
      /^\/archive\/x cannot be read: this user has no permission; .*: chown -R$/,
    ),
  });
});

it.each([
  ['ENOSPC', 'full', 'the disk is full'],
  ['EDQUOT', 'full', 'quota'],
  ['EACCES', 'refused', 'no permission'],
  ['EROFS', 'refused', 'read-only'],
  ['EIO', 'unavailable', 'EIO'],
])('an error %s of the file system has the kind %s', (code, kind, text) => {
  const cause = Object.assign(new Error(`${code}: broken`), { code });
  expect(fileError(cause, '/archive/x', 'written')).toMatchObject({
    kind,
    message: expect.stringContaining(text),
    cause,
  });
});

it('returns errors that are not of the file system unchanged', () => {
  const error = new TypeError('a mistake');
  expect(fileError(error, '/archive/x', 'read')).toBe(error);
});
