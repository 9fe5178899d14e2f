/**
 * Presences and their JSON. Pure. Each presence belongs to one channel. Several presences may share a key, such as
 * those of a user with several tabs.
 */

/** The tracked presence of one channel. */
export interface Presence {
  key: string;
  /** Unique and never reused: clients identify presences by the ref alone. */
  ref: string;
  /** JSON of an object that begins with `phx_ref`. */
  meta: string;
}

/** Presences that joined and presences that left. */
export interface PresenceDiff {
  joins: readonly Presence[];
  leaves: readonly Presence[];
}

/** The presences of a topic. */
export class PresenceState {
  // A Map, because clients choose the keys: `__proto__` would be a problem in an object.
  readonly #byKey = new Map<string, Map<string, Presence>>();
  #count = 0;
  #bytes = 0;
  /** Cached JSON, because many clients join between two changes. */
  #json: string | undefined;

  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

  /** Number of presences, and their total size in characters. */
  get size(): { count: number; bytes: number } {
    return { count: this.#count, bytes: this.#bytes };
  }

  /** Applies a diff. Replaces presences with a known ref, and ignores leaves of unknown ones. */
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

  /** Returns JSON of all presences: `{key: {"metas": [meta, …]}}`. */
  toJson(): string {
    this.#json ??= metasJson([...this.#byKey].map(([key, refs]) => [key, [...refs.values()]]));
    return this.#json;
  }
}

/** Merges diffs: a presence that joins and leaves within the merged time is left out. */
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

/** Returns JSON of a diff: `{"joins": {…}, "leaves": {…}}`. */
export function diffJson({ joins, leaves }: PresenceDiff): string {
  return `{"joins":${metasJson(byKey(joins))},"leaves":${metasJson(byKey(leaves))}}`;
}

/** Returns the size of a diff in characters. */
export function diffBytes({ joins, leaves }: PresenceDiff): number {
  return [...joins, ...leaves].reduce((sum, presence) => sum + sizeOf(presence), 0);
}

function sizeOf({ key, meta }: Presence): number {
  return key.length + meta.length;
}

/** Returns the `meta` of a presence. Values for `phx_ref` and `phx_ref_prev` in the client's payload are ignored. */
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
