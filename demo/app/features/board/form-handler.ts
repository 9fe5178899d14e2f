/** Handles the board's forms in the browser. */
import type { Dispatch } from 'react';
import { readBoardForm } from './board-form.ts';
import type { BoardEvent } from './board-state.ts';

/** Dispatches the edit of a form. Returns the problem of its text, if any. */
export type FormHandler = (form: FormData) => 'empty' | 'tooLong' | undefined;

/** Creates a handler that dispatches edits. */
export function createFormHandler(dispatch: Dispatch<BoardEvent>): FormHandler {
  return (form) => {
    const request = readBoardForm(form, { now: Date.now(), newId: () => crypto.randomUUID() });
    if (request?.kind === 'problem') return request.problem;
    if (request?.kind === 'edit') dispatch({ type: 'edited', edit: request.edit });
    return undefined;
  };
}
