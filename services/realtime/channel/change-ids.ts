/** Ids of the entries of `postgres_changes`: clients tell by them whom a change is for. */
import { createHash } from 'node:crypto';
import type { ChangeEntry } from '../feed/feed.ts';
import type { ChangeParams } from './join-params.ts';

/** So many fit into a number of JavaScript, with room left. */
const ID_BYTES = 6;

/** Equal entries have equal ids, others have others; none is 0, which clients take for none. */
export function identify(changes: readonly ChangeParams[]): ChangeEntry[] {
  const taken = new Map<number, string>();
  return changes.map((params) => {
    const text = canonicalJson(params);
    let id = hash(text);
    while (id === 0 || (taken.has(id) && taken.get(id) !== text)) id += 1;
    taken.set(id, text);
    return { id, params };
  });
}

/** As the join is answered: what was sent, and the id. */
export function echo(entries: readonly ChangeEntry[]): Record<string, unknown>[] {
  return entries.map(({ id, params }) => ({ ...params, id }));
}

function canonicalJson(params: ChangeParams): string {
  return JSON.stringify(Object.entries(params).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function hash(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, ID_BYTES);
}
