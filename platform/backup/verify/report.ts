/** Results of checking an archive. */
import type { ArchiveError, ArchiveErrorKind } from '../errors.ts';

/** Restores that a damage prevents, although their backup is whole. */
export interface AffectedTimes {
  lineage: string;
  /** Restores to times after this one are affected. */
  after: string;
  /** Until this time; undefined: all later ones, until the next backup. */
  until: string | undefined;
}

/** A value that is missing or damaged. */
export interface Damage {
  /** Name of the value; of a gap in the log, the name of the piece that would fill it. */
  name: string;
  kind: ArchiveErrorKind;
  message: string;
  /** Ids of the backups that cannot be restored. */
  backups: string[];
  /** Times to which no restore is possible. */
  times: AffectedTimes[];
}

/** Result of a check. */
export interface ArchiveReport {
  /** Whether blobs were decrypted, or only their existence and size checked. */
  method: 'decrypted' | 'listed';
  /** Ids of all backups, oldest first. */
  backups: string[];
  checkedChunks: number;
  checkedPieces: number;
  checkedRounds: number;
  checkedBytes: number;
  /** Empty if everything is whole. */
  damages: Damage[];
  /** Names of values without a seal, which readers with a key do not believe. */
  unsealed: string[];
}

/** Returns the damage that an error reports. */
export function damageOf(
  name: string,
  error: ArchiveError,
  affected: { backups?: string[]; times?: AffectedTimes[] },
): Damage {
  const { backups = [], times = [] } = affected;
  return { name, kind: error.kind, message: error.message, backups, times };
}
