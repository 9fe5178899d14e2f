/** A note of the board: what it is made of, its limits, and how it is read out of a row. */

/** What a note may look like. The table knows no others. */
export const NOTE_COLORS = ['yellow', 'green', 'blue', 'purple', 'pink', 'grey'] as const;

export type NoteColor = (typeof NOTE_COLORS)[number];

/** Unicode characters of a text; the table takes no more. */
const MAX_NOTE_CHARACTERS = 2000;

/** What can be written in a note. */
export interface NoteContent {
  text: string;
  color: NoteColor;
}

/** A note as everybody sees it who may. */
export interface Note extends NoteContent {
  id: string;
  ownerId: string;
  /** What the owner was called when they last wrote; empty where they have no name. */
  ownerName: string;
  isShared: boolean;
  /** Counts the changes; the first is 1. */
  version: number;
  /** Seconds since 1970, with their fraction: it decides about the order. */
  createdAt: number;
}

/** Columns that a note is read from. */
export const NOTE_COLUMNS = 'id,owner_id,owner_name,text,color,is_shared,version,created_at';

/** Reads a row of the table; undefined where it is none. */
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

/** Reads rows, without those that are none. */
export function parseNotes(rows: readonly Record<string, unknown>[]): Note[] {
  return rows.map(parseNote).filter((note) => note !== undefined);
}

/** Reads a colour; undefined for anything else. */
export function parseColor(value: unknown): NoteColor | undefined {
  return NOTE_COLORS.find((color) => color === value);
}

/** What is wrong with a text, if anything. Forms send each end of a line as two characters; the table has one. */
export function checkText(typed: string): { text: string; problem?: 'empty' | 'tooLong' } {
  const text = typed.replace(/\r\n?/g, '\n').replaceAll('\0', '').trim();
  if (text === '') return { text, problem: 'empty' };
  return [...text].length > MAX_NOTE_CHARACTERS ? { text, problem: 'tooLong' } : { text };
}

/** Tells whether two contents look the same. */
export function isSameContent(one: NoteContent, other: NoteContent): boolean {
  return one.text === other.text && one.color === other.color;
}
