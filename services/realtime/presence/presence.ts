/**
 * Who is there. Pure: a topic's presences, and what is told about them. A presence is one channel's; several may share
 * a key, as the tabs of one person do.
 */

/** One channel that is there. */
export interface Presence {
  key: string;
  /** Never used again: clients tell presences apart by it alone. */
  ref: string;
  /** JSON of an object that begins with `phx_ref`. */
  meta: string;
}

/** Those who came, and those who left. */
export interface PresenceDiff {
  joins: readonly Presence[];
  leaves: readonly Presence[];
}

/** The presences of a topic. */
export class PresenceState {
  // Keys are anybody's: `__proto__` is one like the others in a Map.
  readonly #byKey = new Map<string, Map<string, Presence>>();
  #count = 0;
  #bytes = 0;
  /** As long as nothing changes, everybody who joins is told the same. */
  #json: string | undefined;

  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

  /** How many presences there are, and their size in characters. */
  get size(): { count: number; bytes: number } {
    return { count: this.#count, bytes: this.#bytes };
  }

  /** Takes a change over. What is there already, or was never there, is no change. */
  apply({ joins, leaves }: PresenceDiff): void {
    this.#json = undefined;
    for (const { key, ref } of leaves) this.#remove(key, ref);
    for (const presence of joins) {
      this.#remove(presence.key, presence.ref);
      this.#count += 1;
      this.#bytes += sizeOf(presence);
      const refs = this.#byKey.get(presence.key);
      if (refs) refs.set(presence.ref, presence);
      else this.#byKey.set(presence.key, new Map([[presence.ref, presence]]));
    }
  }

  #remove(key: string, ref: string): void {
    const refs = this.#byKey.get(key);
    const presence = refs?.get(ref);
    if (refs === undefined || presence === undefined) return;
    this.#count -= 1;
    this.#bytes -= sizeOf(presence);
    refs.delete(ref);
    if (refs.size === 0) this.#byKey.delete(key);
  }

  /** JSON of all presences: `{key: {"metas": [meta, …]}}`. */
  toJson(): string {
    this.#json ??= metasJson([...this.#byKey].map(([key, refs]) => [key, [...refs.values()]]));
    return this.#json;
  }
}

/** Changes that are told together: of who came and left in between, nothing is told. */
export class PendingDiff implements PresenceDiff {
  readonly #joins = new Map<string, Presence>();
  readonly #leaves = new Map<string, Presence>();

  get joins(): readonly Presence[] {
    return [...this.#joins.values()];
  }

  get leaves(): readonly Presence[] {
    return [...this.#leaves.values()];
  }

  add({ joins, leaves }: PresenceDiff): void {
    for (const presence of leaves) {
      if (!this.#joins.delete(presence.ref)) this.#leaves.set(presence.ref, presence);
    }
    for (const presence of joins) this.#joins.set(presence.ref, presence);
  }
}

/** JSON of a change: `{"joins": {…}, "leaves": {…}}`. */
export function diffJson({ joins, leaves }: PresenceDiff): string {
  return `{"joins":${metasJson(byKey(joins))},"leaves":${metasJson(byKey(leaves))}}`;
}

/** Size of a change in characters. */
export function diffBytes({ joins, leaves }: PresenceDiff): number {
  return [...joins, ...leaves].reduce((sum, presence) => sum + sizeOf(presence), 0);
}

function sizeOf({ key, meta }: Presence): number {
  return key.length + meta.length;
}

/** JSON of what is told about a presence. What it says of refs by itself does not count. */
export function metaJson(payload: Record<string, unknown>, ref: string, previousRef?: string): string {
  const { phx_ref: _ref, phx_ref_prev: _previous, ...own } = payload;
  const previous = previousRef === undefined ? {} : { phx_ref_prev: previousRef };
  return JSON.stringify({ phx_ref: ref, ...previous, ...own });
}

type Keyed = [key: string, presences: readonly Presence[]][];

function byKey(presences: readonly Presence[]): Keyed {
  return [...Map.groupBy(presences, ({ key }) => key)];
}

function metasJson(keyed: Keyed): string {
  const members = keyed.map(([key, presences]) => {
    const metas = presences.map(({ meta }) => meta).join(',');
    return `${JSON.stringify(key)}:{"metas":[${metas}]}`;
  });
  return `{${members.join(',')}}`;
}
