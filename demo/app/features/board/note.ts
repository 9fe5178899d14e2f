/** A note of the board: its fields, limits and parsing. */

/** The colours of notes; the table allows no others. */
export const NOTE_COLORS = ['yellow', 'green', 'blue', 'purple', 'pink', 'grey'] as const;

export type NoteColor = (typeof NOTE_COLORS)[number];

/** Maximum length of a text in Unicode characters; the table allows no more. */
export const MAX_NOTE_CHARACTERS = 2000;

/** The part of a note that users edit. */
export interface NoteContent {
  text: string;
  color: NoteColor;
}

/** A note as users with access to it see it. */
export interface Note extends NoteContent {
  id: string;
  ownerId: string;
  /** Name of the owner when they last wrote; empty if they have none. */
  ownerName: string;
  isShared: boolean;
  /** Counts the changes; the first is 1. */
  version: number;
  /** Seconds since 1970, with fraction, because the order depends on it. */
  createdAt: number;
}

/** The columns of a note. */
export const NOTE_COLUMNS = 'id,owner_id,owner_name,text,color,is_shared,version,created_at';

/** Parses a row of the table; undefined if it is invalid. */
export function parseNote(row: Record<string, unknown>): Note | undefined {
  const { id, owner_id, owner_name, text, color, is_shared, version, created_at } = row;
  if (typeof id !== 'string' || typeof owner_id !== 'string' || typeof text !== 'string') return undefined;
  const created = Date.parse(String(created_at));
  if (typeof version !== 'number' || Number.isNaN(created)) return undefined;
  return {
    id,
    ownerId: owner_id,
    ownerName: typeof owner_name === 'string' ? owner_name : '',
    text,
    color: parseColor(color) ?? NOTE_COLORS[0],
    isShared: is_shared === true,
    version,
    createdAt: created / 1000,
  };
}

/** Parses rows, without invalid ones. */
export function parseNotes(rows: readonly Record<string, unknown>[]): Note[] {
  return rows.map(parseNote).filter((note) => note !== undefined);
}

/** Parses a colour; undefined for anything else. */
export function parseColor(value: unknown): NoteColor | undefined {
  return NOTE_COLORS.find((color) => color === value);
}

/** Normalizes and validates a text. Forms send line breaks as CR LF; the table stores LF. */
export function checkText(typed: string): { text: string; problem?: 'empty' | 'tooLong' } {
  const text = typed.replace(/\r\n?/g, '\n').replaceAll('\0', '').trim();
  if (text === '') return { text, problem: 'empty' };
  return [...text].length > MAX_NOTE_CHARACTERS ? { text, problem: 'tooLong' } : { text };
}

/** Returns whether two contents are equal. */
export function isSameContent(one: NoteContent, other: NoteContent): boolean {
  return one.text === other.text && one.color === other.color;
}
