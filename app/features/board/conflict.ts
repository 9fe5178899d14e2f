/** What becomes of a change when somebody else has changed the note meanwhile. Pure. */
import type { AddEdit, ChangeEdit } from './edit.ts';
import { isSameContent, type Note } from './note.ts';

/** `done`: there is nothing left to do. `retry`: the changes go together. `conflict`: the person has to choose. */
type Verdict = { kind: 'done' } | { kind: 'retry'; edit: ChangeEdit } | { kind: 'conflict' };

/**
 * Judges an edit against the note as it is now. Two texts that were both written anew go together only where they are
 * the same. Of two colours the later one stays: nothing is lost by it.
 */
export function judgeChange(edit: ChangeEdit, theirs: Note | undefined): Verdict {
  if (theirs === undefined) return { kind: 'conflict' };
  if (isSameContent(edit, theirs)) return { kind: 'done' };
  const { base } = edit;
  const isOurs = edit.text !== base.text;
  const isTheirs = theirs.text !== base.text;
  if (isOurs && isTheirs && edit.text !== theirs.text) return { kind: 'conflict' };
  const text = isOurs ? edit.text : theirs.text;
  const color = edit.color === base.color ? theirs.color : edit.color;
  if (isSameContent({ text, color }, theirs)) return { kind: 'done' };
  return { kind: 'retry', edit: { ...edit, text, color, base: baseOf(theirs) } };
}

/** What an edit of a note starts from. */
function baseOf({ text, color, version }: Note): ChangeEdit['base'] {
  return { text, color, version };
}

/** Id in the page of the question about a note: the note leads to it. */
export function conflictElementId(noteId: string): string {
  return `conflict-${noteId}`;
}

/** What a person can choose. */
export type Choice = 'mine' | 'theirs' | 'both';

/** Reads a choice out of a form; undefined for anything else. */
export function parseChoice(value: unknown): Choice | undefined {
  return (['mine', 'theirs', 'both'] as const).find((choice) => choice === value);
}

/** The own text over the other's, as it is now. Where the note is gone, it can only be a new one. */
export function overwrite({ isConflict: _, ...edit }: ChangeEdit, theirs: Note): ChangeEdit {
  return { ...edit, base: baseOf(theirs) };
}

/** The own text as a note of its own. What somebody has hidden must not be published by that. */
export function asNewNote(
  { id, text, color, isShared }: ChangeEdit,
  isThere: boolean,
  { noteId, now }: { noteId: string; now: number },
): AddEdit {
  return { kind: 'add', id, noteId, text, color, isShared: isThere && isShared, createdAt: now };
}
