/** Reads the head of a log with keys. Values without proof by the seal or the log are ignored. */
import { lastCommitIn, SEGMENT_BYTES, segmentStart } from '@greenroom/postgres';
import type { Archive } from '../archive/archive.ts';
import { lineageOf } from '../archive/layout.ts';
import { hasSeal } from '../archive/sealed-json.ts';
import { type ArchiveError, isArchiveError } from '../errors.ts';
import { ArchivedLog } from './archived-log.ts';
import { type CoveredPoint, decodeHead, headName, type LogHead } from './head.ts';
import type { LogLineage } from './pieces.ts';

/** Segments before a position in which a commit is searched. */
const MAX_SEGMENTS = 4;
/** Gaps before which a commit is searched, the newest ones. */
const MAX_GAPS = 10;
/** Before all backups. */
const NO_TIME = new Date(0);

/** A head, and whether its seal is right. */
interface OpenedHead {
  head: LogHead;
  /** Undefined if the archive was opened without keys that read. */
  isSealed: boolean | undefined;
}

/**
 * Reads a head; undefined if there is none. The times of a head without a seal are those of the last commits before its
 * positions: earlier versions wrote such heads, and everyone with write access can. Rejects with kind `damaged` if the seal is
 * wrong.
 */
export async function openHead(archive: Archive, lineage: LogLineage): Promise<OpenedHead | undefined> {
  const bytes = await findBytes(archive, lineage);
  if (bytes === undefined) return undefined;
  const head = decodeHead(archive.store, lineage, bytes);
  if (!archive.canRead) return { head, isSealed: undefined };
  if (await hasSeal(archive, headName(lineageOf(lineage)), bytes)) return { head, isSealed: true };
  return { head: await provenHead(archive, lineage, head), isSealed: false };
}

/** Like {@link openHead}; a head that is damaged counts as none, because the next one replaces it. */
export async function findOpenedHead(
  archive: Archive,
  lineage: LogLineage,
  onRejected: (error: ArchiveError) => void = () => {},
): Promise<LogHead | undefined> {
  try {
    return (await openHead(archive, lineage))?.head;
  } catch (error) {
    if (!isArchiveError(error, 'damaged')) throw error;
    onRejected(error);
    return undefined;
  }
}

async function findBytes(archive: Archive, lineage: LogLineage): Promise<Buffer | undefined> {
  try {
    return await archive.store.get(headName(lineageOf(lineage)));
  } catch (error) {
    if (isArchiveError(error, 'missing')) return undefined;
    throw error;
  }
}

/** The content of objects is not proven by the log. */
async function provenHead(archive: Archive, lineage: LogLineage, head: LogHead): Promise<LogHead> {
  const log = await ArchivedLog.open(archive, lineage);
  const proven = async (point: CoveredPoint): Promise<CoveredPoint[]> => {
    const commit = await lastCommitBefore(log, lineage, point.position);
    if (commit === undefined) return [];
    return [{ ...point, coveredTime: commit < point.coveredTime ? commit : point.coveredTime }];
  };
  const beforeGaps: CoveredPoint[] = [];
  for (const point of head.beforeGaps.slice(-MAX_GAPS)) beforeGaps.push(...(await proven(point)));
  const [last] = await proven(head);
  return {
    position: head.position,
    coveredTime: last?.coveredTime ?? NO_TIME,
    contentTime: undefined,
    beforeGaps,
  };
}

/** Returns the time of the last commit before a position; undefined if the nearest log is missing, or has none. */
async function lastCommitBefore(
  log: ArchivedLog,
  { timeline }: LogLineage,
  position: bigint,
): Promise<Date | undefined> {
  const read = log.segmentsUntil(position);
  let start = segmentStart(position - 1n);
  for (let count = 0; count < MAX_SEGMENTS && start >= 0n; count++) {
    const segment = await read(timeline, start).catch((error: unknown) => {
      if (isArchiveError(error, 'missing') || isArchiveError(error, 'damaged')) return undefined;
      throw error;
    });
    if (segment === undefined) return undefined;
    const commit = lastCommitIn(segment, Number(position - start));
    if (commit !== undefined) return commit;
    start -= BigInt(SEGMENT_BYTES);
  }
  return undefined;
}
