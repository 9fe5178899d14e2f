/** Reads the rounds of content that follow a backup. */
import type { Archive } from '../archive/archive.ts';
import type { PhysicalManifest } from '../archive/backups/manifest.ts';
import { readRound } from '../archive/content/round.ts';
import { lineageOf, parseRound, timeText } from '../archive/layout.ts';
import type { ArchiveStore } from '../store/archive-store.ts';
import { compareNames } from '../store/names.ts';
import { type ContentEntry, parseContentEntry } from './content-index.ts';

/** Names of rounds of the lineage of a backup, oldest first. */
interface ListedRounds {
  /** From the second on in which the backup began. */
  after: string[];
  before: string[];
}

/** Lists the rounds of the lineage of a backup. */
export async function listRounds(store: ArchiveStore, manifest: PhysicalManifest): Promise<ListedRounds> {
  const since = timeText(new Date(manifest.createdAt));
  const rounds: ListedRounds = { after: [], before: [] };
  for await (const batch of store.list(`content/${lineageOf(manifest)}/`)) {
    for (const { name } of batch) {
      const round = parseRound(name);
      if (round !== undefined) rounds[round.time >= since ? 'after' : 'before'].push(name);
    }
  }
  return { after: rounds.after.toSorted(compareNames), before: rounds.before.toSorted(compareNames) };
}

/**
 * Yields the content of rounds as long as content is wanted. Only one round is in memory at a time.
 * @param wanted versions that a consumer removes
 */
export async function* entriesOfRounds(
  archive: Archive,
  names: readonly string[],
  wanted: ReadonlySet<string>,
): AsyncGenerator<ContentEntry> {
  for (const name of names) {
    if (wanted.size === 0) return;
    yield* await readRound(archive, name, parseContentEntry);
  }
}
