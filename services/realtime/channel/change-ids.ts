/** Ids of `postgres_changes` entries. Clients use them to find the listeners of a change. */
import { createHash } from 'node:crypto';
import type { ChangeEntry } from '../feed/feed.ts';
import type { ChangeParams } from './join-params.ts';

/** 48 bits, so that an id is a safe integer in JavaScript. */
const ID_BYTES = 6;

/**
 * Assigns ids: equal entries get equal ids, different entries different ids. 0 is not used, since clients treat it as
 * unset.
 */
export function identify(changes: readonly ChangeParams[]): ChangeEntry[] {
  const assigned = new Map<number, string>();
  return changes.map((params) => {
    const text = canonicalJson(params);
    let id = hash(text);
    while (id === 0 || (assigned.has(id) && assigned.get(id) !== text)) id += 1;
    assigned.set(id, text);
    return { id, params };
  });
}

/** Returns the entries as the reply to the join contains them: the sent fields and the id. */
export function echo(entries: readonly ChangeEntry[]): Record<string, unknown>[] {
  return entries.map(({ id, params }) => ({ ...params, id }));
}

function canonicalJson(params: ChangeParams): string {
  return JSON.stringify(Object.entries(params).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function hash(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, ID_BYTES);
}
