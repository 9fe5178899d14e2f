import { mkdir, mkdtempDisposable, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { finishReset, removeCluster, swapClusters } from './swap-clusters.ts';

/** Creates a data folder with clusters whose only file contains a name. */
async function folderWith(clusters: Record<string, string>) {
  const root = await mkdtempDisposable(join(tmpdir(), 'greenroom-swap-'));
  for (const [name, content] of Object.entries(clusters)) {
    await mkdir(join(root.path, name));
    await writeFile(join(root.path, name, 'file'), content);
  }
  return {
    at: (name: string) => join(root.path, name),
    names: () => readdir(root.path),
    content: () => readFile(join(root.path, 'postgres', 'file'), 'utf8'),
    [Symbol.asyncDispose]: () => root.remove(),
  };
}

it('replaces the cluster and removes the former one', async () => {
  await using folder = await folderWith({ postgres: 'old', 'postgres.next': 'new' });
  await swapClusters(folder);
  expect([await folder.names(), await folder.content()]).toEqual([['postgres'], 'new']);
});

it('installs the cluster of a data folder without one', async () => {
  await using folder = await folderWith({ 'postgres.next': 'new' });
  await swapClusters(folder);
  expect([await folder.names(), await folder.content()]).toEqual([['postgres'], 'new']);
});

it.each([
  ['before the replacement', { postgres: 'old', 'postgres.next': 'incomplete' }, 'old'],
  ['between the two renames', { 'postgres.former': 'old', 'postgres.next': 'new' }, 'new'],
  ['before the former cluster was removed', { postgres: 'new', 'postgres.former': 'old' }, 'new'],
  ['never', { postgres: 'old' }, 'old'],
])('continues after a process that was killed %s', async (_, clusters, expected) => {
  await using folder = await folderWith(clusters as Record<string, string>);
  await finishReset(folder);
  expect([await folder.names(), await folder.content()]).toEqual([['postgres'], expected]);
});

it('removes the target of a link to a cluster', async () => {
  await using folder = await folderWith({ elsewhere: 'old' });
  await symlink(folder.at('elsewhere'), folder.at('postgres.former'));
  await removeCluster(folder.at('postgres.former'));
  expect(await folder.names()).toEqual([]);
});
