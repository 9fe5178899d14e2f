/** The board's data when the page is loaded. */
import type { Note } from './note.ts';

/** `notSetUp`: the table does not exist. */
export type BoardProblem = 'notSetUp' | 'unreachable';

/** The notes, or the reason why there are none. `isTruncated`: older notes were omitted. */
export type BoardData =
  | { kind: 'notes'; notes: Note[]; isTruncated: boolean }
  | { kind: 'problem'; problem: BoardProblem };

/** Maximum number of notes on a board; newer ones take precedence. */
export const MAX_NOTES = 200;
