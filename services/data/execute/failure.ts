/** Records which stage of a request an error of PostgreSQL came from: the same code means different things per stage. */
import type { SegmentFailure } from '@greenroom/postgres';

/**
 * `settings`: the statement that sets role and settings; `pre-request`: the function that the setting `db-pre-request`
 * names; `main`: the statements of the request; `commit`: deferred constraints.
 */
type Stage = 'settings' | 'pre-request' | 'main' | 'commit';

const stages = new WeakMap<Error, Stage>();

/** Returns the stage of an error of `runTransaction`, or undefined if PostgreSQL did not report it. */
export function failedStage(error: unknown): Stage | undefined {
  return error instanceof Error ? stages.get(error) : undefined;
}

/** Indexes of the statements of a request in its segment. */
export interface StatementIndexes {
  settingsAt: number;
  /** The separate write, or the main statement if there is none. */
  mainAt: number;
  /** The main statement, which returns the outcome. */
  outcomeAt: number;
}

/** Records the stage of a failure and returns its error, which the caller throws. */
export function recordFailure(failure: SegmentFailure | undefined, indexes: StatementIndexes): Error {
  if (failure === undefined) return new Error('the request has no result');
  stages.set(failure.error, stageOf(failure.statement, indexes));
  return failure.error;
}

function stageOf(statement: number, { settingsAt, mainAt, outcomeAt }: StatementIndexes): Stage {
  if (statement <= settingsAt) return 'settings';
  if (statement < mainAt) return 'pre-request';
  return statement <= outcomeAt ? 'main' : 'commit';
}
