/** What the page knows of the board when it is made. */
import type { Note } from './note.ts';

/** `notSetUp`: the database has no such table. */
export type BoardProblem = 'notSetUp' | 'unreachable';

/** The notes, or why there are none. `isCut`: there are older ones. */
export type BoardData =
  | { kind: 'notes'; notes: Note[]; isCut: boolean }
  | { kind: 'problem'; problem: BoardProblem };

/** So many notes a board shows, the newest. */
export const MAX_NOTES = 200;
