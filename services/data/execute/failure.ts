/** Where in a request an error of PostgreSQL came from: the same code means different things there. */
import type { SegmentFailure } from '@greenroom/postgres';

/** `settings`: role and settings; `pre-request`: the function that is asked first; `commit`: deferred constraints. */
type Stage = 'settings' | 'pre-request' | 'main' | 'commit';

const stages = new WeakMap<Error, Stage>();

/** The stage that an error of `runTransaction` came from; undefined for one that is not PostgreSQL's. */
export function failedStage(error: unknown): Stage | undefined {
  return error instanceof Error ? stages.get(error) : undefined;
}

/** Where the statements of a request are among those of its segment. */
export interface Places {
  settingsAt: number;
  /** The main statement, or the one before it that writes. */
  mainAt: number;
  /** The main statement. */
  answerAt: number;
}

/** Notes the stage of a failure and gives its error to be thrown. */
export function noteFailure(failure: SegmentFailure | undefined, places: Places): Error {
  if (failure === undefined) return new Error('a request was not answered');
  stages.set(failure.error, stageOf(failure.statement, places));
  return failure.error;
}

function stageOf(statement: number, { settingsAt, mainAt, answerAt }: Places): Stage {
  if (statement <= settingsAt) return 'settings';
  if (statement < mainAt) return 'pre-request';
  return statement <= answerAt ? 'main' : 'commit';
}
