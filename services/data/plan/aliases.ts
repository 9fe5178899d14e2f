/** Names for what has none of its own in SQL: a reader of a query plan should know what is meant. */

/** PostgreSQL cuts names off after 63 bytes, and two of them could be the same then. */
const MAX_NAME_BYTES = 63;
/** With room for a number behind it. */
const MAX_NUMBERED_BYTES = 50;

/** Gives out names that are all different, and none of them is one of `taken`. */
export class Aliases {
  readonly #taken: Set<string>;
  readonly #results = new Set<string>();
  #count = 0;

  constructor(taken: readonly string[]) {
    this.#taken = new Set(taken);
  }

  /** `films` → `films_1` */
  next(name: string): string {
    const start = shortened(name);
    for (;;) {
      this.#count += 1;
      const alias = `${start}_${this.#count}`;
      if (this.#taken.has(alias) || this.#results.has(alias)) continue;
      this.#taken.add(alias);
      return alias;
    }
  }

  /**
   * What the result of an embed is called: `films_directors_1`. Two results of one name in one place are called the same,
   * which PostgreSQL refuses (42712): in an object, one would hide the other.
   */
  ofResult(parent: string, embed: string, depth: number): string {
    const alias = `${parent}_${embed}_${depth}`;
    if (this.#taken.has(alias) || Buffer.byteLength(alias) > MAX_NAME_BYTES) return this.next(embed);
    this.#results.add(alias);
    return alias;
  }
}

function shortened(name: string): string {
  let short = name;
  while (Buffer.byteLength(short) > MAX_NUMBERED_BYTES) short = [...short].slice(0, -1).join('');
  return short;
}
