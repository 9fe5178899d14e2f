/** SQL aliases that remain understandable in query plans. */

/** PostgreSQL truncates names to 63 bytes, which could make two of them equal. */
const MAX_NAME_BYTES = 63;
/** Leaves space for a number after the name. */
const MAX_NUMBERED_BYTES = 50;

/** Generates unique aliases that are not in `reserved`. */
export class Aliases {
  readonly #reserved: Set<string>;
  readonly #results = new Set<string>();
  #count = 0;

  constructor(reserved: readonly string[]) {
    this.#reserved = new Set(reserved);
  }

  /** Returns a numbered alias, for example `films_1` for `films`. */
  next(name: string): string {
    const start = shortened(name);
    for (;;) {
      this.#count += 1;
      const alias = `${start}_${this.#count}`;
      if (this.#reserved.has(alias) || this.#results.has(alias)) continue;
      this.#reserved.add(alias);
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
    if (this.#reserved.has(alias) || Buffer.byteLength(alias) > MAX_NAME_BYTES) return this.next(embed);
    this.#results.add(alias);
    return alias;
  }
}

function shortened(name: string): string {
  let short = name;
  while (Buffer.byteLength(short) > MAX_NUMBERED_BYTES) short = [...short].slice(0, -1).join('');
  return short;
}
