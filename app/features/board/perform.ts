/** Carries the board's forms out in the page. */
import type { Dispatch } from 'react';
import { readBoardForm } from './board-form.ts';
import type { BoardEvent } from './board-state.ts';

/** Takes a form; gives what is wrong with its text, if anything. */
export type Perform = (form: FormData) => 'empty' | 'tooLong' | undefined;

/** See the head of this file. */
export function performIn(dispatch: Dispatch<BoardEvent>): Perform {
  return (form) => {
    const asked = readBoardForm(form, { now: Date.now(), newId: () => crypto.randomUUID() });
    if (asked?.kind === 'problem') return asked.problem;
    if (asked?.kind === 'edit') dispatch({ type: 'edited', edit: asked.edit });
    return undefined;
  };
}
