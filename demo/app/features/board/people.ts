/**
 * The users who are present, and those who are writing. Pure. Presence data comes from browsers and is not
 * trusted.
 */

import { chosenName, pictureOwner } from 'greenroom/app';

/** A user who is present, in one or more windows. */
export interface Person {
  id: string;
  /** Empty if they have none. */
  name: string;
  /** Path of their picture, if they have one. */
  picture?: string | undefined;
}

/** Maximum number of avatars. Further users are shown as a number. */
export const MAX_AVATARS = 6;

/**
 * Returns the name that other users see: the display name, or the email address up to the @, since the full
 * address is private.
 */
export function boardName(user: { email: string; user_metadata: Record<string, unknown> }): string {
  return chosenName(user.user_metadata) || (user.email.split('@', 1)[0] ?? '');
}

/** Converts a channel's presence to users: each once, the own user first, then by name. */
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
  return chosenName({ full_name: shown?.name });
}

/** Accepts only pictures in the user's own folder. */
function pictureOf(id: string, shown: Record<string, unknown> | undefined): string | undefined {
  const { picture } = shown ?? {};
  return typeof picture === 'string' && pictureOwner(picture) === id ? picture : undefined;
}

/** A writing notice expires after this many milliseconds. */
export const WRITING_EXPIRY_MS = 5000;
/** Interval of writing notices while a user is writing, in milliseconds. */
export const WRITING_NOTICE_INTERVAL_MS = 2000;

/** Stands for the id of a note that does not exist yet. */
export const UNSAVED_NOTE = 'new';

/** A user who is editing a note. */
export interface Writer {
  personId: string;
  noteId: string;
  /** Milliseconds on the clock of this page. */
  until: number;
}

/** Records that a user is writing a note, or has stopped. Each user writes one note at a time. */
export function updateWriters(
  writers: readonly Writer[],
  { personId, noteId, now }: { personId: string; noteId: string | undefined; now: number },
): readonly Writer[] {
  const others = writers.filter((writer) => writer.personId !== personId);
  if (noteId === undefined) return others.length === writers.length ? writers : others;
  return [...others, { personId, noteId, until: now + WRITING_EXPIRY_MS }];
}

/** Removes expired writing notices. */
export function removeExpiredWriters(writers: readonly Writer[], now: number): readonly Writer[] {
  const remaining = writers.filter(({ until }) => until > now);
  return remaining.length === writers.length ? writers : remaining;
}

/** Returns the present users who are writing a note. */
export function writersOf(noteId: string, writers: readonly Writer[], people: readonly Person[]): Person[] {
  const ids = new Set(writers.filter((writer) => writer.noteId === noteId).map(({ personId }) => personId));
  return people.filter(({ id }) => ids.has(id));
}
