/**
 * Entries that were deleted and can still be brought back. They leave the list at once; storage is told when the toast
 * ends, when the page is left, or when its person signs out. They belong to no page, as the toast does not.
 */

import { folderOf } from '../../session/file-name.ts';
import { beforeSignOut } from '../../session/leaving.ts';
import { keyOf, type Owned, removeEntries } from './file-calls.ts';
import type { Entry } from './file-entry.ts';
import type { FilesProblem } from './files-data.ts';
import { noteLeft } from './left-removals.ts';

/** What a removal needs. */
export interface RemovalParts {
  owned: Owned;
  entry: Entry;
  /** Where the forms of the home page are sent. */
  formAddress: string;
  onFailed(problem: FilesProblem): void;
  /** Storage is being told before the toast ends: it cannot be brought back any more. */
  onTold(): void;
}

const removals = new Map<string, RemovalParts>();
/** Keys that lists leave out; a new set after each change. */
let hidden: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();
const goneListeners = new Set<(folder: string) => Promise<unknown>>();

/** For `useSyncExternalStore`. */
export function watchRemovals(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keys that are about to be removed. */
export function hiddenKeys(): ReadonlySet<string> {
  return hidden;
}

/** Calls `listener` with the folder that something is gone from, and hides that until it is over. Returns how to stop. */
export function onRemoved(listener: (folder: string) => Promise<unknown>): () => void {
  goneListeners.add(listener);
  return () => goneListeners.delete(listener);
}

/** Hides an entry. Gives what brings it back, and what removes it. */
export function removeLater(parts: RemovalParts): { undo(): void; commit(): void } {
  const id = crypto.randomUUID();
  removals.set(id, parts);
  hide(parts, true);
  return {
    undo() {
      if (removals.delete(id)) hide(parts, false);
    },
    commit() {
      if (removals.delete(id)) void carryOut(parts);
    },
  };
}

/** Removes an entry that the list should not have any more. */
export function removeNow(parts: RemovalParts): void {
  hide(parts, true);
  void carryOut(parts);
}

async function carryOut(parts: RemovalParts): Promise<void> {
  const { problem } = await removeEntries(parts.owned, [parts.entry]);
  await settle(parts, problem);
}

async function settle(parts: RemovalParts, problem: FilesProblem | undefined): Promise<void> {
  if (problem !== undefined) parts.onFailed(problem);
  else await Promise.all([...goneListeners].map((listener) => listener(folderOf(parts.entry.path))));
  hide(parts, false);
}

function hide({ owned, entry }: RemovalParts, isHidden: boolean): void {
  const next = new Set(hidden);
  const key = keyOf(owned, entry.path);
  if (isHidden) next.add(key);
  else next.delete(key);
  hidden = next;
  for (const listener of listeners) listener();
}

/** Gives what was told. */
function tellAll(): RemovalParts[] {
  const all = [...removals.values()];
  removals.clear();
  for (const parts of all) {
    void sendForm(parts).then((isDone) => settle(parts, isDone ? undefined : 'unreachable'));
    parts.onTold();
  }
  return all;
}

/**
 * By the form that pages without scripts have, with a request that outlives the page: a folder is one name to it,
 * however much is in it, and the server needs no answers of ours.
 */
async function sendForm({ entry: { kind, path }, formAddress }: RemovalParts): Promise<boolean> {
  const body = new URLSearchParams({ intent: 'files-delete', folder: folderOf(path), kind, path });
  const sent = fetch(formAddress, { method: 'POST', keepalive: true, redirect: 'manual', body });
  // Done, it leads back to the folder.
  return sent.then(
    ({ type }) => type === 'opaqueredirect',
    () => false,
  );
}

if (typeof window !== 'undefined') {
  window.addEventListener('pagehide', () => noteLeft(tellAll()));
  beforeSignOut(() => void tellAll());
}
