import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemoryFolder } from './memory-folder.ts';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'greenroom-memory-'));
});
afterEach(() => rm(parent, { recursive: true }));

it('is a file system that all users may write to, and gone after its removal', async ({ skip }) => {
  const folder = await createMemoryFolder(parent, Number.POSITIVE_INFINITY);
  if (folder === undefined) return skip('this user may not mount file systems');
  expect(folder.path).toBe(join(parent, `gr-${process.pid}`));
  expect(statSync(folder.path).mode & 0o7777).toBe(0o1777);
  expect(statSync(folder.path).dev).not.toBe(statSync(parent).dev);
  await mkdir(join(folder.path, 'content'));
  await folder.remove();
  expect(await readdir(parent)).toEqual([]);
});

it('removes the folders of runs that were killed, and no others', async ({ skip }) => {
  if (process.getuid?.() !== 0) return skip('only root mounts folders');
  const { pid } = spawnSync('true');
  for (const name of [`gr-${pid}`, `gr-${process.ppid}`, 'gr-x']) await mkdir(join(parent, name));
  expect(await createMemoryFolder(parent, 0)).toBeUndefined();
  expect((await readdir(parent)).toSorted()).toEqual([`gr-${process.ppid}`, 'gr-x'].toSorted());
});

it('is not created with too little memory', async () => {
  expect(await createMemoryFolder(parent, 1024 ** 3)).toBeUndefined();
  expect(await readdir(parent)).toEqual([]);
});
