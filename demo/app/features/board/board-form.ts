/** Converts the board's forms to edits, on the server and in the browser. Pure. */
import { asNewNote, parseChoice } from './conflict.ts';
import type { ChangeEdit, Edit } from './edit.ts';
import { newEditId } from './edit-storage.ts';
import { checkText, NOTE_COLORS, type NoteContent, parseColor } from './note.ts';

/** The request of a form. `none`: nothing has to be done. `problem`: the text is not valid. */
export type FormRequest =
  | { kind: 'edit'; edit: Edit }
  | { kind: 'none' }
  | { kind: 'problem'; problem: 'empty' | 'tooLong'; noteId: string | undefined; typed: NoteContent };

/** Inputs of the conversion: the time in milliseconds, and new ids. */
interface FormContext {
  now: number;
  newId(): string;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Parses a form; undefined if it is invalid. */
export function readBoardForm(form: FormData, context: FormContext): FormRequest | undefined {
  const intent = textOf(form, 'intent');
  if (intent === 'add') return readContent(form, undefined, (content) => addEdit(form, content, context));
  const noteId = textOf(form, 'note');
  if (!UUID.test(noteId)) return undefined;
  const ids = { id: newEditId(context.now, context.newId()), noteId };
  switch (intent) {
    case 'change':
      return readContent(form, noteId, (content) => changeEdit(form, content, ids));
    case 'share':
      return { kind: 'edit', edit: { kind: 'share', ...ids, isShared: isShared(form) } };
    case 'delete':
      return { kind: 'edit', edit: { kind: 'delete', ...ids } };
    case 'choose':
      return readChoice(form, ids, context);
    default:
      return undefined;
  }
}

function readContent(
  form: FormData,
  noteId: string | undefined,
  toEdit: (content: NoteContent) => Edit | undefined,
): FormRequest | undefined {
  const typed = { text: textOf(form, 'text'), color: parseColor(form.get('color')) ?? NOTE_COLORS[0] };
  const { text, problem } = checkText(typed.text);
  if (problem) return { kind: 'problem', problem, noteId, typed };
  const edit = toEdit({ text, color: typed.color });
  return edit && { kind: 'edit', edit };
}

function addEdit(form: FormData, content: NoteContent, { now, newId }: FormContext): Edit {
  const ids = { id: newEditId(now, newId()), noteId: newId() };
  return { kind: 'add', ...ids, ...content, isShared: isShared(form), createdAt: now / 1000 };
}

type Ids = Pick<Edit, 'id' | 'noteId'>;

function changeEdit(form: FormData, content: NoteContent, ids: Ids): ChangeEdit | undefined {
  const base = readBase(form);
  return base && { kind: 'change', ...ids, ...content, base, isShared: isShared(form) };
}

function readBase(form: FormData): ChangeEdit['base'] | undefined {
  const version = textOf(form, 'version');
  const color = parseColor(form.get('baseColor'));
  if (!/^\d{1,9}$/.test(version) || color === undefined) return undefined;
  return { text: normalizeLineBreaks(textOf(form, 'baseText')), color, version: Number(version) };
}

/**
 * Parses the choice between two texts. The base is the other user's text, which was shown; without a
 * version the note was deleted.
 */
function readChoice(form: FormData, ids: Ids, { now, newId }: FormContext): FormRequest | undefined {
  const choice = parseChoice(form.get('choice'));
  if (choice === undefined) return undefined;
  if (choice === 'theirs') return { kind: 'none' };
  const isDeleted = textOf(form, 'version') === '';
  return readContent(form, ids.noteId, (content) => {
    const noBase = { text: '', color: content.color, version: 0 };
    const base = isDeleted ? noBase : readBase(form);
    if (base === undefined) return undefined;
    const edit: ChangeEdit = { kind: 'change', ...ids, ...content, base, isShared: isShared(form) };
    if (choice === 'mine' && !isDeleted) return edit;
    return asNewNote(edit, !isDeleted, { noteId: newId(), now: now / 1000 });
  });
}

function isShared(form: FormData): boolean {
  return form.get('shared') === 'yes';
}

function normalizeLineBreaks(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
