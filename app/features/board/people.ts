/** Who is here, and who is writing. Pure. What presence says was sent by browsers: anybody may say anything. */

import { cleanName, givenName, MAX_NAME_CHARACTERS } from '../../session/person-name.ts';
import { isPicturePath } from '../../session/storage-address.ts';

/** Somebody who is here, in however many windows. */
export interface Person {
  id: string;
  /** Empty where they have none. */
  name: string;
  /** Path of their picture, if they have one. */
  picture?: string | undefined;
}

/** More than anybody looks at; a crowd is counted. */
export const MAX_FACES = 6;

/** What others on the board call somebody: their name, or their address up to the @, which is nobody's business. */
export function boardName(user: { email: string; user_metadata: Record<string, unknown> }): string {
  return givenName(user.user_metadata) || (user.email.split('@', 1)[0] ?? '');
}

/** The people of a channel's presence: each once, the own person first, then by name. */
export function toPeople(
  state: Readonly<Record<string, readonly Record<string, unknown>[]>>,
  self: Person,
): readonly Person[] {
  const others = Object.entries(state)
    .filter(([id]) => id !== self.id)
    .map(([id, windows]) => ({ id, name: nameOf(windows.at(-1)), picture: pictureOf(id, windows.at(-1)) }));
  return [self, ...others.toSorted((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1))];
}

function nameOf(shown: Record<string, unknown> | undefined): string {
  const name = typeof shown?.name === 'string' ? cleanName(shown.name) : '';
  return [...name].slice(0, MAX_NAME_CHARACTERS).join('');
}

/** Nobody shows somebody else's picture as their own. */
function pictureOf(id: string, shown: Record<string, unknown> | undefined): string | undefined {
  const { picture } = shown ?? {};
  return typeof picture === 'string' && isPicturePath(picture) && picture.startsWith(`${id}/`)
    ? picture
    : undefined;
}

/** That somebody writes is forgotten this many milliseconds after they last said so. */
export const WRITING_FORGOTTEN_MS = 5000;
/** So often somebody says so while they write. */
export const WRITING_TOLD_MS = 2000;

/** Stands for a note that is not there yet, in the place of an id. */
export const UNBORN_NOTE = 'new';

/** Somebody who changes a note right now. */
export interface Writer {
  personId: string;
  noteId: string;
  /** Milliseconds on the clock of this page. */
  until: number;
}

/** Somebody writes a note, or none any more. Each person writes one at a time. */
export function noteWriter(
  writers: readonly Writer[],
  { personId, noteId, now }: { personId: string; noteId: string | undefined; now: number },
): readonly Writer[] {
  const others = writers.filter((writer) => writer.personId !== personId);
  if (noteId === undefined) return others.length === writers.length ? writers : others;
  return [...others, { personId, noteId, until: now + WRITING_FORGOTTEN_MS }];
}

/** Those that are still writing. */
export function forgetWriters(writers: readonly Writer[], now: number): readonly Writer[] {
  const left = writers.filter(({ until }) => until > now);
  return left.length === writers.length ? writers : left;
}

/** Names of those who write a note, of the people who are here. */
export function writersOf(noteId: string, writers: readonly Writer[], people: readonly Person[]): Person[] {
  const ids = new Set(writers.filter((writer) => writer.noteId === noteId).map(({ personId }) => personId));
  return people.filter(({ id }) => ids.has(id));
}
