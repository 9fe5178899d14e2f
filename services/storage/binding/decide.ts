/**
 * Decides whether a database and a store of objects belong together. The decision table is in
 * docs/reference/storage.md.
 */

/** State of a database and a store. */
export interface BindingState {
  /** Undefined if the database has no id yet. */
  databaseId: string | undefined;
  /** The database was used before instances had ids, and has not been bound to a store since. */
  isFromBeforeIds: boolean;
  /** Undefined if the store has no id yet. */
  storeId: string | undefined;
  isStoreEmpty: boolean;
  /** Whether rows of objects name content, and whether some of that content is in this store. */
  content: 'none' | 'in the store' | 'elsewhere';
}

/** Use the store under `id` (undefined: a new id), or refuse to use it. */
type Decision = { kind: 'use'; id: string | undefined } | { kind: 'refuse' };

/**
 * A version of content is a random UUID: if the store has a version that the database names, they were used together.
 */
export function decide(state: BindingState): Decision {
  const { databaseId, isFromBeforeIds, storeId, isStoreEmpty, content } = state;
  if (storeId !== undefined) {
    const isSame = storeId === databaseId;
    const isKnown = databaseId === undefined && content === 'in the store';
    return isSame || isKnown ? { kind: 'use', id: storeId } : { kind: 'refuse' };
  }
  const isOwn = isStoreEmpty || content === 'in the store' || (isFromBeforeIds && content === 'none');
  return isOwn ? { kind: 'use', id: databaseId } : { kind: 'refuse' };
}
