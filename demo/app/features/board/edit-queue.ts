/** The queue of unsent edits, in their order. Pure. */
import type { Edit } from './edit.ts';
import type { Note } from './note.ts';

/**
 * Appends an edit, or merges it into a waiting edit of the same note. `sending` is the id of the edit that
 * is being sent: it is not changed.
 */
export function enqueue(edits: readonly Edit[], edit: Edit, sending: string | undefined): readonly Edit[] {
  const isUnsentOfSameNote = (other: Edit) => other.noteId === edit.noteId && other.id !== sending;
  if (edit.kind === 'delete') {
    const remaining = edits.filter((other) => !isUnsentOfSameNote(other));
    const isNewNote = edits.some((other) => isUnsentOfSameNote(other) && other.kind === 'add');
    return isNewNote ? remaining : [...remaining, edit];
  }
  const waiting = edits.findLast((other) => isUnsentOfSameNote(other) && canMerge(other, edit));
  if (waiting === undefined) return [...edits, edit];
  return edits.map((other) => (other === waiting ? mergeEdits(other, edit) : other));
}

/** Changes with a conflict are not merged. */
function canMerge(waiting: Edit, edit: Edit): boolean {
  if (waiting.kind === 'add') return edit.kind !== 'add';
  return waiting.kind === edit.kind && !('isConflict' in waiting);
}

function mergeEdits(waiting: Edit, edit: Edit): Edit {
  if (edit.kind === 'share' && waiting.kind !== 'delete') return { ...waiting, isShared: edit.isShared };
  if (edit.kind !== 'change') return waiting;
  const { text, color } = edit;
  return waiting.kind === 'add' || waiting.kind === 'change' ? { ...waiting, text, color } : waiting;
}

/** Returns the next edit to send. Edits of notes with a conflict are skipped. */
export function nextEdit(edits: readonly Edit[]): Edit | undefined {
  const conflicting = new Set(edits.filter((edit) => 'isConflict' in edit).map(({ noteId }) => noteId));
  return edits.find(({ noteId }) => !conflicting.has(noteId));
}

/** Removes an edit. */
export function withoutEdit(edits: readonly Edit[], id: string): readonly Edit[] {
  return edits.filter((edit) => edit.id !== id);
}

/** Replaces the edit with the same id. */
export function replaceEdit(edits: readonly Edit[], edit: Edit): readonly Edit[] {
  return edits.map((other) => (other.id === edit.id ? edit : other));
}

/** Rebases waiting edits of a note on the result of a change that the user has just saved. */
export function rebase(edits: readonly Edit[], note: Note): readonly Edit[] {
  const { id, text, color, version } = note;
  return edits.map((edit) =>
    edit.kind === 'change' && edit.noteId === id && !edit.isConflict && edit.base.version < version
      ? { ...edit, base: { text, color, version } }
      : edit,
  );
}
