/** Decides whether a database and a store of objects belong together. The table is in docs/reference/storage.md. */

/** What is known about a database and a store. */
export interface BindingFacts {
  /** Undefined where the database has no id yet. */
  databaseId: string | undefined;
  /** The database was in use before instances had ids, and has not met its store since. */
  isFromBeforeIds: boolean;
  /** Undefined where the store has no id yet. */
  storeId: string | undefined;
  isStoreEmpty: boolean;
  /** Whether rows of objects name content, and whether some of it is in this store. */
  content: 'none' | 'in the store' | 'elsewhere';
}

/** Use the store under `id` (a new one where undefined), or refuse it. */
type Decision = { kind: 'use'; id: string | undefined } | { kind: 'refuse' };

/** A version is a random UUID: where the store has one that the database names, they have been used together. */
export function decide(facts: BindingFacts): Decision {
  const { databaseId, isFromBeforeIds, storeId, isStoreEmpty, content } = facts;
  if (storeId !== undefined) {
    const isSame = storeId === databaseId;
    const isKnown = databaseId === undefined && content === 'in the store';
    return isSame || isKnown ? { kind: 'use', id: storeId } : { kind: 'refuse' };
  }
  const isOwn = isStoreEmpty || content === 'in the store' || (isFromBeforeIds && content === 'none');
  return isOwn ? { kind: 'use', id: databaseId } : { kind: 'refuse' };
}
