/**
 * The journal of a load: for each item, such as a row or an object, its writes in their order, with the times before the
 * request and after the response. An item has one writer at a time, so its writes follow each other.
 */

/** Kinds of items. */
export const KINDS = ['row', 'object', 'user', 'message'] as const;

/** See {@link KINDS}. */
export type Kind = (typeof KINDS)[number];

/** A write of an item. */
export interface Write {
  /** The value that it gives to the item; undefined if it deletes the item. */
  value: string | undefined;
  /** Milliseconds since 1970 by the clock of the machine. */
  sentAt: number;
  /** Undefined if the outcome is not known: the instance was killed, or the request failed. */
  acknowledgedAt: number | undefined;
}

/** Times between which a restored state was: everything acknowledged before is in it, nothing sent after is. */
export interface StateBounds {
  after: number;
  before: number;
}

/** Values by the id of an item. */
type Values = ReadonlyMap<string, string>;

/** Values of all items. */
export type State = Readonly<Record<Kind, Values>>;

/** The writes since the state that an instance began with. */
export class Journal {
  readonly #items: Readonly<Record<Kind, Map<string, Write[]>>>;

  /** @param initial the state before the first write */
  constructor(initial?: State) {
    const itemsOf = (kind: Kind) =>
      new Map(Array.from(initial?.[kind] ?? [], ([id, value]) => [id, [initialWrite(value)]]));
    this.#items = {
      row: itemsOf('row'),
      object: itemsOf('object'),
      user: itemsOf('user'),
      message: itemsOf('message'),
    };
  }

  /** Runs a request that gives an item a value, and records it. Rejects as the request; then its outcome is not known. */
  async write(
    kind: Kind,
    id: string,
    value: string | undefined,
    request: () => Promise<unknown>,
  ): Promise<void> {
    const write: Write = { value, sentAt: Date.now(), acknowledgedAt: undefined };
    const writes = this.#items[kind].get(id);
    if (writes === undefined) this.#items[kind].set(id, [write]);
    else writes.push(write);
    await request();
    write.acknowledgedAt = Date.now();
  }

  /** Returns the items that exist, except those with a write whose outcome is not known. */
  existing(kind: Kind): string[] {
    return this.ids(kind).filter((id) => {
      const last = this.writesOf(kind, id).at(-1);
      return last?.acknowledgedAt !== undefined && last.value !== undefined;
    });
  }

  /** Returns all items that have a write. */
  ids(kind: Kind): string[] {
    return [...this.#items[kind].keys()];
  }

  writesOf(kind: Kind, id: string): readonly Write[] {
    return this.#items[kind].get(id) ?? [];
  }

  /** Number of acknowledged writes since the initial state. */
  get acknowledged(): number {
    const writes = KINDS.flatMap((kind) => [...this.#items[kind].values()].flat());
    return writes.filter(({ acknowledgedAt, sentAt }) => acknowledgedAt !== undefined && sentAt > 0).length;
  }
}

/** Returns the values that an item may have in a state. */
export function allowedValues(
  writes: readonly Write[],
  { after, before }: StateBounds,
): Set<string | undefined> {
  const last = writes.findLastIndex(
    ({ acknowledgedAt }) => acknowledgedAt !== undefined && acknowledgedAt < after,
  );
  const possible = writes.slice(last + 1).filter(({ sentAt }) => sentAt <= before);
  return new Set([writes[last]?.value, ...possible.map(({ value }) => value)]);
}

function initialWrite(value: string): Write {
  return { value, sentAt: 0, acknowledgedAt: 0 };
}
