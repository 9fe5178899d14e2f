/**
 * The head of a log in an archive: the position and the time that the log covers. Not encrypted, so that listing backups needs
 * no key. Its seal shows changes to readers with a key, see ./opened-head.ts.
 */
import { z } from 'zod';
import type { Archive } from '../archive/archive.ts';
import { decodeChecked } from '../archive/checked-json.ts';
import { LOG_POSITION, lineageOf } from '../archive/layout.ts';
import { encodeSealed } from '../archive/sealed-json.ts';
import { ArchiveError, isArchiveError } from '../errors.ts';
import type { ArchiveStore } from '../store/archive-store.ts';
import { type LogLineage, positionText } from './pieces.ts';

/** A position up to which the log is stored, and a time: all commits acknowledged until then are before the position. */
export interface CoveredPoint {
  position: bigint;
  coveredTime: Date;
}

/** The covered part of a log. Its position is the end of the log after the last gap. */
export interface LogHead extends CoveredPoint {
  /** The content of all objects whose rows were committed until then is stored; undefined if nothing is known. */
  contentTime: Date | undefined;
  /** The end of the log before each gap, oldest first. */
  beforeGaps: readonly CoveredPoint[];
}

/** Oldest points are dropped: their log was pruned long ago. */
const MAX_GAPS = 1000;

const lsnSchema = z
  .string()
  .regex(LOG_POSITION)
  .transform((text) => BigInt(`0x${text}`));
const timeSchema = z.iso.datetime().transform((text) => new Date(text));
const pointSchema = z.object({ position: lsnSchema, coveredTime: timeSchema });
const headSchema = pointSchema.extend({
  /** Absent in heads of earlier versions. */
  lineage: z.string().optional(),
  contentTime: timeSchema.optional(),
  beforeGaps: z.array(pointSchema).default([]),
});

/** Returns the name of the head of a lineage. */
export const headName = (lineage: string) => `wal/${lineage}/head.json`;

/** Replaces the head. */
export async function writeHead(archive: Archive, lineage: LogLineage, head: LogHead): Promise<void> {
  const { contentTime, beforeGaps } = head;
  const fields = {
    lineage: lineageOf(lineage),
    ...pointText(head),
    ...(contentTime !== undefined && { contentTime: contentTime.toISOString() }),
    ...(beforeGaps.length > 0 && { beforeGaps: beforeGaps.map(pointText) }),
  };
  const name = headName(lineageOf(lineage));
  await archive.store.put(name, await encodeSealed(archive, name, fields));
}

/** Returns the head of a log without a key, so without its seal; undefined if there is none yet. Rejects if it is damaged. */
export async function readHead(store: ArchiveStore, lineage: LogLineage): Promise<LogHead | undefined> {
  try {
    return decodeHead(store, lineage, await store.get(headName(lineageOf(lineage))));
  } catch (error) {
    if (isArchiveError(error, 'missing')) return undefined;
    throw error;
  }
}

/** Parses a head without its seal. Throws kind `damaged`, also for the head of another lineage. */
export function decodeHead(
  { location }: Pick<ArchiveStore, 'location'>,
  lineage: LogLineage,
  bytes: Uint8Array,
): LogHead {
  const place = `${headName(lineageOf(lineage))} in ${location}`;
  const { lineage: named, ...head } = decodeChecked(place, bytes, headSchema);
  if (named !== undefined && named !== lineageOf(lineage))
    throw new ArchiveError('damaged', `${place} is damaged: it belongs to ${named}`);
  return { ...head, contentTime: head.contentTime };
}

/** Like {@link readHead}; a damaged head counts as none, because the next one replaces it. */
export async function findHead(store: ArchiveStore, lineage: LogLineage): Promise<LogHead | undefined> {
  try {
    return await readHead(store, lineage);
  } catch (error) {
    if (isArchiveError(error, 'damaged')) return undefined;
    throw error;
  }
}

/** Returns the head of a log whose next piece does not continue it. */
export function withGap(head: LogHead): LogHead {
  const { position, coveredTime, beforeGaps } = head;
  if (beforeGaps.at(-1)?.position === position) return head;
  return { ...head, beforeGaps: [...beforeGaps, { position, coveredTime }].slice(-MAX_GAPS) };
}

function pointText({ position, coveredTime }: CoveredPoint): { position: string; coveredTime: string } {
  return { position: positionText(position), coveredTime: coveredTime.toISOString() };
}
