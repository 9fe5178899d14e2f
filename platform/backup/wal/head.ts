/** The head of a log in an archive: the position and the time that the log covers. Not encrypted, so that listing backups needs no key. */
import { z } from 'zod';
import { decodeChecked, encodeChecked } from '../archive/checked-json.ts';
import { LOG_POSITION } from '../archive/layout.ts';
import { ArchiveError } from '../errors.ts';
import type { ArchiveStore } from '../store/archive-store.ts';
import { type LogLineage, logFolder, positionText } from './pieces.ts';

/** The covered part of a log. */
interface LogHead {
  /** The log is stored up to this position, without gaps since the last one. */
  position: bigint;
  /** All commits that were acknowledged until then are stored. */
  coveredTime: Date;
  /** The content of all objects whose rows were committed until then is stored; undefined if nothing is known. */
  contentTime: Date | undefined;
}

const lsnSchema = z
  .string()
  .regex(LOG_POSITION)
  .transform((text) => BigInt(`0x${text}`));
const timeSchema = z.iso.datetime().transform((text) => new Date(text));
const headSchema = z.object({
  position: lsnSchema,
  coveredTime: timeSchema,
  contentTime: timeSchema.optional(),
});

function headName(lineage: LogLineage): string {
  return `${logFolder(lineage)}head.json`;
}

/** Replaces the head. */
export async function writeHead(store: ArchiveStore, lineage: LogLineage, head: LogHead): Promise<void> {
  const { position, coveredTime, contentTime } = head;
  const fields = {
    position: positionText(position),
    coveredTime: coveredTime.toISOString(),
    ...(contentTime !== undefined && { contentTime: contentTime.toISOString() }),
  };
  await store.put(headName(lineage), encodeChecked(fields));
}

/** Returns the head of a log; undefined if there is none yet. Rejects if it is damaged. */
export async function readHead(store: ArchiveStore, lineage: LogLineage): Promise<LogHead | undefined> {
  const name = headName(lineage);
  try {
    const { position, coveredTime, contentTime } = decodeChecked(name, await store.get(name), headSchema);
    return { position, coveredTime, contentTime };
  } catch (error) {
    if (error instanceof ArchiveError && error.kind === 'missing') return undefined;
    throw error;
  }
}
