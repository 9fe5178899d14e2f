/** Where in a request an error of PostgreSQL came from: the same code means different things there. */
import type { SegmentFailure } from '@greenroom/postgres';

/** `settings`: role and settings; `pre-request`: the function that is asked first; `commit`: deferred constraints. */
export type Stage = 'settings' | 'pre-request' | 'main' | 'commit';

const stages = new WeakMap<Error, Stage>();

/** The stage that an error of `runRequest` came from; undefined for one that is not PostgreSQL's. */
export function failedStage(error: unknown): Stage | undefined {
  return error instanceof Error ? stages.get(error) : undefined;
}

/** Notes the stage of a failure and gives its error to be thrown. */
export function noteFailure(failure: SegmentFailure | undefined, settingsAt: number, mainAt: number): Error {
  if (failure === undefined) return new Error('a request was not answered');
  stages.set(failure.error, stageOf(failure.statement, settingsAt, mainAt));
  return failure.error;
}

function stageOf(statement: number, settingsAt: number, mainAt: number): Stage {
  if (statement <= settingsAt) return 'settings';
  if (statement < mainAt) return 'pre-request';
  return statement === mainAt ? 'main' : 'commit';
}
