/**
 * Replaces the cluster of a data folder by another one that was prepared in the same folder. A process that is killed in between
 * leaves folders by which the next start finishes the replacement.
 */
import { existsSync } from 'node:fs';
import { readlink, rename, rm } from 'node:fs/promises';
import type { DataFolder } from '@greenroom/data-folder';

const CLUSTER = 'postgres';
/** Name of the new cluster in the data folder, until it replaces the other one. */
export const NEXT_CLUSTER = 'postgres.next';
/** Name of the former cluster in the data folder, until it is removed. */
const FORMER_CLUSTER = 'postgres.former';

type Folder = Pick<DataFolder, 'at'>;

/** Replaces the cluster, if one exists. Neither may be running. The former one is removed. */
export async function swapClusters(folder: Folder): Promise<void> {
  if (existsSync(folder.at(CLUSTER))) await rename(folder.at(CLUSTER), folder.at(FORMER_CLUSTER));
  await rename(folder.at(NEXT_CLUSTER), folder.at(CLUSTER));
  await removeCluster(folder.at(FORMER_CLUSTER));
}

/**
 * Finishes a replacement that was interrupted: with the new cluster if the former one has been moved away already, which
 * happens only after the new one is complete.
 */
export async function finishReset(folder: Folder): Promise<void> {
  const [current, next, former] = [CLUSTER, NEXT_CLUSTER, FORMER_CLUSTER].map((name) => folder.at(name)) as [
    string,
    string,
    string,
  ];
  if (!existsSync(current) && existsSync(next) && existsSync(former)) await rename(next, current);
  await Promise.all([removeCluster(next), removeCluster(former)]);
}

/** The folder of a cluster may be a link to a system folder. */
export async function removeCluster(path: string): Promise<void> {
  const target = await readlink(path).catch(() => undefined);
  if (target !== undefined) await rm(target, { recursive: true, force: true });
  await rm(path, { recursive: true, force: true });
}
