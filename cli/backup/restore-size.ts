/** The size of a restore: its space on the disk, and an estimate of its duration. */
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Archive, estimateRestore, type RestorePlan } from '@greenroom/backup';
import type { Config } from '@greenroom/server/settings';
import { durationText, sizeText } from './sizes.ts';

/** PostgreSQL keeps about this much of the log while it recovers. */
const MAX_LOG_BYTES = 2_000_000_000;

/** A restore that is planned. */
interface Restore {
  plan: RestorePlan;
  /** The data folder. */
  folder: string;
  config: Pick<Config, 'storage'>;
}

/** Throws if the disk has too little space for the backup and its log. Returns the bytes that are needed and free. */
export async function requireSpace(
  { plan, folder, config }: Restore,
  addedBytes = 0,
): Promise<{ needed: number; free: number }> {
  const { manifest, logBytes } = plan;
  const objects = config.storage.s3Store === undefined ? manifest.contentBytes + addedBytes : 0;
  const needed = manifest.databaseBytes + Math.min(logBytes, MAX_LOG_BYTES) + objects;
  const free = await freeBytes(folder);
  if (free >= needed) return { needed, free };
  throw new Error(
    `the restore needs about ${sizeText(needed)}, and the disk of ${folder} has only ${sizeText(free)} free. Free space, or restore into a folder of another disk (--into).`,
  );
}

/** Reads a part of the archive for about a second. Returns lines about sizes and the duration. Throws as {@link requireSpace}. */
export async function estimateLines(archive: Archive, restore: Restore): Promise<string[]> {
  const estimate = await estimateRestore(archive, restore.plan);
  const { databaseBytes, logBytes, objectBytes, addedBytes, seconds } = estimate;
  const { needed, free } = await requireSpace(restore, addedBytes);
  return [
    `  to read: database ${sizeText(databaseBytes)}, log ${sizeText(logBytes)}, objects ${sizeText(objectBytes)}`,
    `  disk: about ${sizeText(needed)} needed, ${sizeText(free)} free`,
    `  duration: ${durationText(seconds)}`,
  ];
}

/** Returns the free bytes of the disk of the nearest folder that exists. */
async function freeBytes(path: string): Promise<number> {
  const disk = await statfs(path).catch(() => undefined);
  if (disk !== undefined) return disk.bavail * disk.bsize;
  return dirname(path) === path ? Number.POSITIVE_INFINITY : freeBytes(dirname(path));
}
