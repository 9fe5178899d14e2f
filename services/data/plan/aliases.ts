/** SQL aliases that remain understandable in query plans. */

/** PostgreSQL truncates names to 63 bytes, which could make two of them equal. */
const MAX_NAME_BYTES = 63;
/** Leaves space for a number after the name. */
const MAX_NUMBERED_BYTES = 50;

/** Generates unique aliases that are not in `taken`. */
export class Aliases {
  readonly #taken: Set<string>;
  readonly #results = new Set<string>();
  #count = 0;

  constructor(taken: readonly string[]) {
    this.#taken = new Set(taken);
  }

  /** Returns a numbered alias, for example `films_1` for `films`. */
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
   * Returns the alias of the result of an embed, for example `films_directors_1`. Two embeds of the same name in the
   * same row get the same alias, so that PostgreSQL rejects the statement (42712): in a JSON object, one would hide the
   * other.
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
