/**
 * Entries that were deleted and can still be restored. They disappear from the list at once; storage
 * deletes them when the toast closes, when the page is left, or when the user signs out. Like the toast,
 * they are independent of the page.
 */

import { beforeSignOut } from 'greenroom/app';
import { keyOf, type OwnerStorage, removeEntries } from './file-calls.ts';
import type { Entry } from './file-entry.ts';
import { folderOf } from './file-name.ts';
import type { FilesProblem } from './files-data.ts';
import { saveRemovals } from './saved-removals.ts';

/** The entry of a removal, and its callbacks. */
export interface PendingRemoval {
  ownerStorage: OwnerStorage;
  entry: Entry;
  /** URL for the forms of the home page. */
  formAddress: string;
  onFailed(problem: FilesProblem): void;
  /** Called if the request is sent before the toast closes. From then on, the removal cannot be undone. */
  onSent(): void;
}

const removals = new Map<string, PendingRemoval>();
/** Storage keys of hidden entries. Each change creates a new set. */
let hidden: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();
const removedListeners = new Set<(folder: string) => Promise<unknown>>();

/** Subscribe function for `useSyncExternalStore`. */
export function watchRemovals(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the storage keys of hidden entries. */
export function hiddenKeys(): ReadonlySet<string> {
  return hidden;
}

/**
 * Calls `listener` with the folder of a removed entry, and keeps the entry hidden until the listener's
 * promise resolves. Returns a function that unsubscribes.
 */
export function onRemoved(listener: (folder: string) => Promise<unknown>): () => void {
  removedListeners.add(listener);
  return () => removedListeners.delete(listener);
}

/** Hides an entry. Returns functions that show it again or remove it. */
export function scheduleRemoval(removal: PendingRemoval): { undo(): void; commit(): void } {
  const id = crypto.randomUUID();
  removals.set(id, removal);
  setHidden(removal, true);
  return {
    undo() {
      if (removals.delete(id)) setHidden(removal, false);
    },
    commit() {
      if (removals.delete(id)) void removeEntry(removal);
    },
  };
}

/** Hides and removes an entry at once. */
export function removeNow(removal: PendingRemoval): void {
  setHidden(removal, true);
  void removeEntry(removal);
}

async function removeEntry(removal: PendingRemoval): Promise<void> {
  const { problem } = await removeEntries(removal.ownerStorage, [removal.entry]);
  await finishRemoval(removal, problem);
}

async function finishRemoval(removal: PendingRemoval, problem: FilesProblem | undefined): Promise<void> {
  if (problem !== undefined) removal.onFailed(problem);
  else await Promise.all([...removedListeners].map((listener) => listener(folderOf(removal.entry.path))));
  setHidden(removal, false);
}

function setHidden({ ownerStorage, entry }: PendingRemoval, isHidden: boolean): void {
  const next = new Set(hidden);
  const key = keyOf(ownerStorage, entry.path);
  if (isHidden) next.add(key);
  else next.delete(key);
  hidden = next;
  for (const listener of listeners) listener();
}

/** Sends all pending removals, and returns them. */
function sendAll(): PendingRemoval[] {
  const all = [...removals.values()];
  removals.clear();
  for (const removal of all) {
    void sendForm(removal).then((isDone) => finishRemoval(removal, isDone ? undefined : 'unreachable'));
    removal.onSent();
  }
  return all;
}

/**
 * Submits the deletion form of pages without scripts in a request that outlives the page. One request
 * suffices for a folder, because the server removes its content.
 */
async function sendForm({ entry: { kind, path }, formAddress }: PendingRemoval): Promise<boolean> {
  const body = new URLSearchParams({ intent: 'files-delete', folder: folderOf(path), kind, path });
  const sent = fetch(formAddress, { method: 'POST', keepalive: true, redirect: 'manual', body });
  // A successful form redirects to the folder.
  return sent.then(
    ({ type }) => type === 'opaqueredirect',
    () => false,
  );
}

if (typeof window !== 'undefined') {
  window.addEventListener('pagehide', () => saveRemovals(sendAll()));
  beforeSignOut(() => void sendAll());
}
