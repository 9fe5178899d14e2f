/**
 * Decides where the shipping of a log continues: after the last stored piece, if the server still has the log from there on
 * and it is the same log; otherwise at the oldest position that the server has, after a gap.
 */
import {
  createPhysicalSlot,
  dropSlot,
  formatLsn,
  type ReplicationClient,
  readPhysicalSlot,
  type SystemIdentity,
  segmentStart,
} from '@greenroom/postgres';
import type { LogLineage, LogRange } from './pieces.ts';

/** The archive contains another log than that of the server. */
export class OtherLogError extends Error {
  override readonly name = 'OtherLogError';
}

/** Where the stream starts. */
interface StartingPoint {
  from: bigint;
  /** The oldest position that the server has. */
  oldest: bigint;
  /** The missing range; `start` is undefined if nothing was stored before. */
  gap: { start: bigint | undefined; end: bigint } | undefined;
}

/**
 * Creates the slot if necessary and returns the starting point.
 * @param wanted the position to continue at; undefined for a log that has no pieces yet
 */
export async function findStartingPoint(
  client: ReplicationClient,
  system: SystemIdentity,
  { slot, wanted }: { slot: string; wanted: bigint | undefined },
): Promise<StartingPoint> {
  if (wanted !== undefined && wanted > system.end) {
    throw new OtherLogError(
      `the archive has the log up to ${formatLsn(wanted)}, and the database ends at ${formatLsn(system.end)}: it is an older copy of the database that was backed up`,
    );
  }
  // Segments are kept as a whole, and a recovery needs the beginning of the first one.
  const oldest = segmentStart(await ensureSlot(client, slot));
  if (wanted !== undefined && wanted >= oldest) return { from: wanted, oldest, gap: undefined };
  return { from: oldest, oldest, gap: { start: wanted, end: oldest } };
}

/** Returns the oldest position that the slot keeps. */
async function ensureSlot(client: ReplicationClient, slot: string): Promise<bigint> {
  const existing = await readPhysicalSlot(client, slot);
  if (existing !== undefined && !existing.isLost && existing.restartLsn !== undefined)
    return existing.restartLsn;
  if (existing !== undefined) await dropSlot(client, slot);
  await createPhysicalSlot(client, slot, { isTemporary: false });
  const created = await readPhysicalSlot(client, slot);
  if (created?.restartLsn === undefined) throw new Error(`the replication slot ${slot} keeps no log`);
  return created.restartLsn;
}

/** Throws an {@link OtherLogError} if the server has another identity than the log. */
export function requireLineage({ systemId, timeline }: SystemIdentity, lineage: LogLineage): void {
  if (systemId === lineage.systemId && timeline === lineage.timeline) return;
  throw new OtherLogError(
    `the database is now cluster ${systemId} on timeline ${timeline}, instead of ${lineage.systemId} on timeline ${lineage.timeline}`,
  );
}

/** Bytes of the last stored piece. `unknown`: this process cannot read them, because it only has the recipient. */
export type TailContent = Buffer | 'unknown' | 'damaged';

/** The last stored piece, which the stream sends again, so that both logs are compared. */
export class LogTail {
  readonly range: LogRange;
  readonly #content: TailContent;

  constructor(range: LogRange, content: TailContent) {
    this.range = range;
    this.#content = content;
  }

  get isDamaged(): boolean {
    return this.#content === 'damaged';
  }

  /** The position at which the log continues. */
  get end(): bigint {
    return this.isDamaged ? this.range.start : this.range.end;
  }

  /**
   * Returns the received bytes after the stored piece. Throws an {@link OtherLogError} if the bytes before are not those
   * of the piece.
   */
  rest(start: bigint, bytes: Buffer): { start: bigint; bytes: Buffer } {
    if (start >= this.end) return { start, bytes };
    const repeated = bytes.subarray(0, Number(this.end - start));
    const offset = Number(start - this.range.start);
    if (
      typeof this.#content === 'object' &&
      !repeated.equals(this.#content.subarray(offset, offset + repeated.length))
    ) {
      throw new OtherLogError(
        `the log of the database differs from the archived one before ${formatLsn(this.end)}: the database is a copy that was changed independently`,
      );
    }
    return { start: start + BigInt(repeated.length), bytes: bytes.subarray(repeated.length) };
  }
}
