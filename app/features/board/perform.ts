/** Handles the board's forms in the page. */
import type { Dispatch } from 'react';
import { readBoardForm } from './board-form.ts';
import type { BoardEvent } from './board-state.ts';

/** Handles a form; returns the problem with its text, if any. */
export type Perform = (form: FormData) => 'empty' | 'tooLong' | undefined;

/** Creates a handler that dispatches edits. */
export function createPerform(dispatch: Dispatch<BoardEvent>): Perform {
  return (form) => {
    const request = readBoardForm(form, { now: Date.now(), newId: () => crypto.randomUUID() });
    if (request?.kind === 'problem') return request.problem;
    if (request?.kind === 'edit') dispatch({ type: 'edited', edit: request.edit });
    return undefined;
  };
}
