/** Reads the log of a recovering server: its progress, its result, and the reason of a failure. Pure. */
import { formatLsn, parseLsn } from '../../replication/lsn.ts';
import type { Lsn } from '../../replication/wal-message.ts';

/** The state of a recovery. */
export interface RecoveryProgress {
  /** Position up to which the log is applied; undefined before the first report. */
  position: Lsn | undefined;
  /** Time of the last commit that is applied, as PostgreSQL writes it; known at the end, if there was a commit. */
  lastCommit: string | undefined;
  /** The timeline that the cluster continues on; known at the end. */
  timeline: number | undefined;
}

/**
 * Why a recovery failed:
 * - `targetNotReached`: the log contains no commit after the requested time
 * - `targetTooEarly`: the requested time is before the end of the backup
 * - `incompleteLog`: the log ends before the files of the backup are consistent
 * - `failed`: any other reason, in PostgreSQL's words
 */
type RecoveryErrorKind = 'targetNotReached' | 'targetTooEarly' | 'incompleteLog' | 'failed';

/** A cluster could not be recovered. */
export class RecoveryError extends Error {
  override readonly name = 'RecoveryError';
  readonly kind: RecoveryErrorKind;

  constructor(kind: RecoveryErrorKind, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.kind = kind;
  }
}

const POSITION = /^LOG: {2}redo (?:in progress, .*current LSN:|done at|starts at) ([0-9A-F]+\/[0-9A-F]+)/;
const LAST_COMMIT = /^LOG: {2}last completed transaction was at log time (.+)$/;
const TIMELINE = /^LOG: {2}selected new timeline ID: (\d+)$/;
const NOT_REACHED = 'recovery ended before configured recovery target was reached';
const TOO_EARLY = 'requested recovery stop point is before consistent recovery point';
const INCOMPLETE =
  /WAL ends before (?:end of online backup|consistent recovery point)|could not (?:locate|find) (?:a valid|required) checkpoint record|could not find redo location/;
const REASON = /^(?:FATAL|PANIC|ERROR): {2}(.+)$/;

/** Returns the progress after a line of the log. */
export function readProgress(progress: RecoveryProgress, line: string): RecoveryProgress {
  const [, position] = POSITION.exec(line) ?? [];
  if (position !== undefined) return { ...progress, position: parseLsn(position) };
  const [, lastCommit] = LAST_COMMIT.exec(line) ?? [];
  if (lastCommit !== undefined) return { ...progress, lastCommit };
  const [, timeline] = TIMELINE.exec(line) ?? [];
  return timeline === undefined ? progress : { ...progress, timeline: Number(timeline) };
}

/** Returns the error of a recovery that ended with these lines. */
export function explainFailure(
  lines: readonly string[],
  { position, lastCommit }: RecoveryProgress,
  cause: Error,
): RecoveryError {
  const text = lines.join('\n');
  const commit = lastCommit === undefined ? '' : `, its last commit was at ${lastCommit}`;
  const end = `it ends at ${position === undefined ? 'its start' : formatLsn(position)}${commit}`;
  if (text.includes(NOT_REACHED)) {
    return new RecoveryError('targetNotReached', `the log does not reach the requested time: ${end}`, {
      cause,
    });
  }
  if (text.includes(TOO_EARLY)) {
    return new RecoveryError(
      'targetTooEarly',
      'the requested time is before the end of the backup: use an earlier backup',
      { cause },
    );
  }
  if (INCOMPLETE.test(text)) {
    return new RecoveryError(
      'incompleteLog',
      `the log that belongs to the backup is incomplete: ${end}. Restore another backup.`,
      { cause },
    );
  }
  const reasons = lines.flatMap((line) => REASON.exec(line)?.[1] ?? []);
  return new RecoveryError(
    'failed',
    `PostgreSQL could not recover the cluster: ${reasons.join('; ') || cause.message}`,
    { cause },
  );
}
