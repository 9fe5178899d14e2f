/**
 * Entries that were deleted and can still be brought back. They leave the list at once; storage is told when the toast
 * ends, or when the page is left. They belong to no page, as the toast does not.
 */
import { keyOf, type Owned, pathsOf, removeEntries } from './file-calls.ts';
import type { Entry } from './file-entry.ts';
import { FILES_BUCKET, type FilesProblem } from './files-data.ts';

/** Something that is about to be removed. */
interface Removal {
  owned: Owned;
  /** Where storage is; without a slash at the end. */
  storageUrl: string;
  entry: Entry;
  /** What to send when the page is left: by then nothing can be asked any more. */
  farewell: { keys: string[]; token: string } | undefined;
}

/** What {@link removeLater} needs. */
export interface RemovalParts {
  owned: Owned;
  storageUrl: string;
  entry: Entry;
  /** It is gone; the entry stays hidden until this is over. */
  onGone(): Promise<unknown>;
  onFailed(problem: FilesProblem): void;
}

const removals = new Map<string, Removal>();
/** Paths that lists leave out; a new set after each change. */
let hidden: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

/** For `useSyncExternalStore`. */
export function watchRemovals(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Paths that are about to be removed. */
export function hiddenPaths(): ReadonlySet<string> {
  return hidden;
}

/** Hides an entry. Gives what brings it back, and what removes it. */
export function removeLater(parts: RemovalParts): { undo(): void; commit(): void } {
  const { owned, entry, storageUrl } = parts;
  const id = crypto.randomUUID();
  const removal: Removal = { owned, storageUrl, entry, farewell: undefined };
  removals.set(id, removal);
  hide(entry.path, true);
  void prepare(removal);
  return {
    undo() {
      if (removals.delete(id)) hide(entry.path, false);
    },
    commit() {
      if (removals.delete(id)) void carryOut(parts);
    },
  };
}

async function carryOut({ owned, entry, onGone, onFailed }: RemovalParts): Promise<void> {
  const { problem } = await removeEntries(owned, [entry]);
  if (problem !== undefined) onFailed(problem);
  else await onGone();
  hide(entry.path, false);
}

function hide(path: string, isHidden: boolean): void {
  const next = new Set(hidden);
  if (isHidden) next.add(path);
  else next.delete(path);
  hidden = next;
  for (const listener of listeners) listener();
}

async function prepare(removal: Removal): Promise<void> {
  const { owned, entry } = removal;
  const [{ value: paths }, { data }] = await Promise.all([
    pathsOf(owned, [entry]),
    owned.client.auth.getSession(),
  ]);
  if (!paths || data.session?.user.id !== owned.ownerId) return;
  removal.farewell = { keys: paths.map((path) => keyOf(owned, path)), token: data.session.access_token };
}

/** The official client asks for the session first, which takes longer than a page has that is being left. */
function sayFarewell(): void {
  for (const [id, { farewell, storageUrl }] of removals) {
    if (!farewell) continue;
    removals.delete(id);
    void fetch(`${storageUrl}/object/${FILES_BUCKET}`, {
      method: 'DELETE',
      keepalive: true,
      headers: { authorization: `Bearer ${farewell.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prefixes: farewell.keys }),
    }).catch(() => {});
  }
}

if (typeof window !== 'undefined') window.addEventListener('pagehide', sayFarewell);
