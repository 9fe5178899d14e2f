/**
 * The queries that an administrator has open, as `localStorage` keeps them. Each has an entry, so that two windows of a browser
 * do not overwrite each other's queries. They stay after reloads, crashes and sign-outs, until they are closed.
 */
import { type StorageWindow, withStorage } from '../../../../lib/unsent-edits.ts';

/** An open query. */
export interface Draft {
  id: string;
  /** Empty for a query without a name. */
  name: string;
  sql: string;
  /** Milliseconds since 1970; the order of the tabs. */
  createdAt: number;
  /** The saved query that was opened, with the version that the draft is based on. */
  saved?: { id: string; version: number; sql: string; isShared: boolean };
}

const PREFIX = 'greenroom-sql-';
const ACTIVE = 'greenroom-sql-active-';

/** Prefix of the entries of one account. */
export function draftPrefix(userId: string): string {
  return `${PREFIX}${userId}-`;
}

/** Returns the drafts of an account, oldest first. */
export function readDrafts(browser: StorageWindow, userId: string): Draft[] {
  return withStorage(
    browser,
    (storage) => {
      const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
      return keys
        .filter((key) => key.startsWith(draftPrefix(userId)))
        .flatMap((key) => parseDraft(storage.getItem(key)) ?? [])
        .toSorted((a, b) => a.createdAt - b.createdAt);
    },
    [],
  );
}

/** Stores a draft. Returns whether the browser has stored it. */
export function writeDraft(browser: StorageWindow, userId: string, draft: Draft): boolean {
  return withStorage(
    browser,
    (storage) => {
      storage.setItem(draftPrefix(userId) + draft.id, JSON.stringify(draft));
      return true;
    },
    false,
  );
}

/** Removes a draft. */
export function removeDraft(browser: StorageWindow, userId: string, id: string): void {
  withStorage(browser, (storage) => storage.removeItem(draftPrefix(userId) + id), undefined);
}

/** Parses an entry; undefined if it is damaged. */
export function parseDraft(text: string | null): Draft | undefined {
  try {
    const draft = JSON.parse(text ?? '') as Partial<Draft> | null;
    const isDraft =
      typeof draft?.id === 'string' && typeof draft.sql === 'string' && typeof draft.createdAt === 'number';
    return isDraft ? ({ name: '', ...draft } as Draft) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the id of the draft that this window showed last. */
export function readActive(
  browser: Pick<Window, 'sessionStorage' | 'localStorage'>,
  userId: string,
): string | null {
  const key = ACTIVE + userId;
  const inWindow = withStorage(
    { localStorage: browser.sessionStorage },
    (storage) => storage.getItem(key),
    null,
  );
  return inWindow ?? withStorage(browser, (storage) => storage.getItem(key), null);
}

/** Stores the id of the draft that is shown, for this window, and for windows that are opened later. */
export function writeActive(
  browser: Pick<Window, 'sessionStorage' | 'localStorage'>,
  userId: string,
  id: string,
): void {
  for (const localStorage of [browser.sessionStorage, browser.localStorage])
    withStorage({ localStorage }, (storage) => storage.setItem(ACTIVE + userId, id), undefined);
}

/** Returns a new draft. */
export function newDraft(fields: Partial<Pick<Draft, 'name' | 'sql' | 'saved'>> = {}): Draft {
  return { id: crypto.randomUUID(), name: '', sql: '', createdAt: Date.now(), ...fields };
}
