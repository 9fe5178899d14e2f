/**
 * Quarantine in a content folder. Content is quarantined and restored by renaming it:
 *
 *     quarantine/<date>/<version>            from objects/
 *     quarantine/<date>/<version>.incoming   from incoming/
 *     quarantine/<date>/<version>.parts      from incoming/parts/
 */
import { access, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Quarantine, Quarantined, StoredContent } from '../object-store.ts';
import { dayOf, startOfDay } from '../quarantine-day.ts';
import { codeOf } from './disk-error.ts';
import { contentPath, isVersion, type Paths } from './paths.ts';
import { syncFolder } from './synced-folder.ts';

const FOLDER_MODE = 0o700;
const INCOMING = '.incoming';
const PARTS = '.parts';
const BATCH_SIZE = 500;

/** Creates the quarantine of a content folder. */
export function diskQuarantine(paths: Paths): Quarantine {
  return {
    put: (found, date) => put(paths, found, dayOf(date)),
    list: () => list(paths),
    restore: (items) => restore(paths, items),
    remove: (items) => remove(paths, items),
  };
}

/** Returns the file of quarantined content; undefined if it is not in quarantine. */
export async function findQuarantined(
  { quarantine }: Pick<Paths, 'quarantine'>,
  version: string,
): Promise<string | undefined> {
  if (!isVersion(version)) return undefined;
  for (const day of await namesIn(quarantine)) {
    const file = join(quarantine, day, version);
    if (await exists(file)) return file;
  }
  return undefined;
}

async function put(paths: Paths, found: readonly StoredContent[], day: string): Promise<number> {
  if (found.length === 0) return 0;
  const folder = join(paths.quarantine, day);
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  let moved = 0;
  for (const one of found) if (await putOne(paths, folder, one)) moved += 1;
  await syncFolder(folder);
  return moved;
}

/** Tries `objects/` first, then `incoming/`, where content that is still being written has the same name. */
async function putOne(paths: Paths, folder: string, found: StoredContent): Promise<boolean> {
  if (found.kind === 'parts') {
    const { uploadId } = found.upload;
    return moveIfExists(join(paths.parts, uploadId), join(folder, `${uploadId}${PARTS}`));
  }
  const { version } = found.name;
  const original = contentPath(paths, version);
  if (original === undefined) return false;
  if (await moveIfExists(original.file, join(folder, version))) return true;
  return moveIfExists(join(paths.incoming, version), join(folder, `${version}${INCOMING}`));
}

async function* list({ quarantine }: Paths): AsyncGenerator<Quarantined[]> {
  for (const day of await namesIn(quarantine)) {
    const since = startOfDay(day);
    if (since === undefined) continue;
    const items = (await namesIn(join(quarantine, day))).flatMap((name) =>
      parseQuarantined(day, name, since),
    );
    for (let start = 0; start < items.length; start += BATCH_SIZE)
      yield items.slice(start, start + BATCH_SIZE);
  }
}

function parseQuarantined(day: string, name: string, since: Date): Quarantined[] {
  const version = name.split('.', 1)[0] ?? '';
  if (!isVersion(version)) return [];
  return [{ kind: name.endsWith(PARTS) ? 'parts' : 'content', version, since, at: join(day, name) }];
}

async function restore(paths: Paths, items: readonly Quarantined[]): Promise<void> {
  for (const { version, at } of items) {
    const { folder, file } = originalPathOf(paths, version, at);
    if (await moveIfExists(join(paths.quarantine, at), file)) await syncFolder(folder);
  }
  await removeEmptyDays(paths);
}

function originalPathOf(paths: Paths, version: string, at: string): { folder: string; file: string } {
  if (at.endsWith(PARTS)) return { folder: paths.parts, file: join(paths.parts, version) };
  if (at.endsWith(INCOMING)) return { folder: paths.incoming, file: join(paths.incoming, version) };
  const folder = paths.shard(version.slice(0, 2));
  return { folder, file: join(folder, version) };
}

async function remove(paths: Paths, items: readonly Quarantined[]): Promise<void> {
  for (const { at } of items) await rm(join(paths.quarantine, at), { recursive: true, force: true });
  await removeEmptyDays(paths);
}

async function removeEmptyDays({ quarantine }: Paths): Promise<void> {
  for (const day of await namesIn(quarantine)) {
    if (startOfDay(day) === undefined) continue;
    await rmdir(join(quarantine, day)).catch((error: unknown) => {
      // The folder is not empty, or another sweep has removed it.
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(codeOf(error) ?? '')) throw error;
    });
  }
}

async function moveIfExists(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
