/** Resolves a change of a note that another user has changed meanwhile. Pure. */
import type { AddEdit, ChangeEdit } from './edit.ts';
import { isSameContent, type Note } from './note.ts';

/**
 * `done`: nothing remains to be sent. `retry`: the merged edit can be sent. `conflict`: the user has to
 * choose.
 */
type MergeResult = { kind: 'done' } | { kind: 'retry'; edit: ChangeEdit } | { kind: 'conflict' };

/**
 * Compares an edit with the current note. If both texts have changed, they merge only if they are the same.
 * The later colour wins, since it loses no text.
 */
export function mergeChange(edit: ChangeEdit, theirs: Note | undefined): MergeResult {
  if (theirs === undefined) return { kind: 'conflict' };
  if (isSameContent(edit, theirs)) return { kind: 'done' };
  const { base } = edit;
  const isTextChangedHere = edit.text !== base.text;
  const isTextChangedThere = theirs.text !== base.text;
  if (isTextChangedHere && isTextChangedThere && edit.text !== theirs.text) return { kind: 'conflict' };
  const text = isTextChangedHere ? edit.text : theirs.text;
  const color = edit.color === base.color ? theirs.color : edit.color;
  if (isSameContent({ text, color }, theirs)) return { kind: 'done' };
  return { kind: 'retry', edit: { ...edit, text, color, base: baseOf(theirs) } };
}

/** Returns the base of an edit of this note. */
function baseOf({ text, color, version }: Note): ChangeEdit['base'] {
  return { text, color, version };
}

/** Returns the id of the conflict's element, to which the note links. */
export function conflictElementId(noteId: string): string {
  return `conflict-${noteId}`;
}

/** The version to keep: that of the user, the current one on the server, or both. */
export type Choice = 'mine' | 'theirs' | 'both';

/** Parses a choice of a form; undefined for anything else. */
export function parseChoice(value: unknown): Choice | undefined {
  return (['mine', 'theirs', 'both'] as const).find((choice) => choice === value);
}

/** Returns an edit that replaces the other user's current text. */
export function overwrite({ isConflict: _, ...edit }: ChangeEdit, theirs: Note): ChangeEdit {
  return { ...edit, base: baseOf(theirs) };
}

/**
 * Returns an edit that adds the user's text as a new note. If the note is no longer visible, the new one is
 * private: its owner may have hidden it, and the text must not be published.
 */
export function asNewNote(
  { id, text, color, isShared }: ChangeEdit,
  isVisible: boolean,
  { noteId, now }: { noteId: string; now: number },
): AddEdit {
  return { kind: 'add', id, noteId, text, color, isShared: isVisible && isShared, createdAt: now };
}
