/** Notes and edits for tests, with simple defaults. */
import type { AddEdit, ChangeEdit, DeleteEdit, ShareEdit } from './edit.ts';
import type { Note } from './note.ts';

export function aNote(more: Partial<Note> = {}): Note {
  return {
    id: 'n',
    ownerId: 'ada',
    ownerName: 'Ada',
    text: 'old',
    color: 'yellow',
    isShared: true,
    version: 1,
    createdAt: 100,
    ...more,
  };
}

/** Changes the text of a note. */
export function aChange(more: Partial<ChangeEdit> = {}): ChangeEdit {
  const base = { text: 'old', color: 'yellow', version: 1 } as const;
  return {
    kind: 'change',
    id: 'c',
    noteId: 'n',
    text: 'mine',
    color: 'yellow',
    base,
    isShared: true,
    ...more,
  };
}

export function anAdd(more: Partial<AddEdit> = {}): AddEdit {
  return {
    kind: 'add',
    id: 'a',
    noteId: 'n',
    text: 'new',
    color: 'blue',
    isShared: true,
    createdAt: 200,
    ...more,
  };
}

/** Makes a note private, by default. */
export function aShare(more: Partial<ShareEdit> = {}): ShareEdit {
  return { kind: 'share', id: 's', noteId: 'n', isShared: false, ...more };
}

export function aDelete(more: Partial<DeleteEdit> = {}): DeleteEdit {
  return { kind: 'delete', id: 'd', noteId: 'n', ...more };
}
