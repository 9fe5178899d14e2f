/**
 * The prepared statements of one connection: which there are, and under which names. A statement that is run by several
 * roles is prepared once for each: PostgreSQL makes the plan of a table under row-level security anew whenever another
 * role than the last runs it.
 */

/** Most statements that are kept on one connection. Their texts come from clients, so there must be a limit. */
const MAX_STATEMENTS = 250;
/**
 * Most characters of all their texts. PostgreSQL needs up to a hundred bytes for each, on every connection: twenty megabytes
 * in all.
 */
const MAX_CHARACTERS = 200_000;
/**
 * A statement with more characters is not prepared. Its plan may take much more memory than its text: with 50 embeds (14,000
 * characters) 1.2 MB, with 250 embeds (72,000 characters) 17 MB.
 */
export const MAX_PREPARED_CHARACTERS = 16_000;
/**
 * A connection that has planned so many characters of statements that are not prepared is closed. The memory for planning
 * stays with its process in part: 30 to 40 MB after 250 embeds.
 */
export const WORN_OUT_CHARACTERS = 64_000;

/**
 * A statement: its text, for one role and schema. They are kept apart, because the text is the same string as long as its
 * plan lives, and JavaScript remembers the hash of a string: put together, thousands of characters would be hashed each time.
 */
export interface StatementKey {
  /** None: one for all. */
  scope?: string;
  text: string;
}

/** The prepared statements of one text. */
interface Prepared {
  /** By scope. */
  names: Map<string, string>;
  /** When one of them was used last: the number of that use. */
  lastUse: number;
}

/** Chooses names, and forgets the statements that have not been used for the longest time. */
export class PreparedStatements {
  readonly #max: number;
  readonly #maxCharacters: number;
  /**
   * By text. A use does not change the map: each table that a map leaves behind refers to the next one, and once V8 has
   * moved one to its old space, all that follow are kept until a full collection.
   */
  readonly #texts = new Map<string, Prepared>();
  #uses = 0;
  #unwanted: string[] = [];
  #made = 0;
  #generation = 0;
  #size = 0;
  #characters = 0;

  constructor(max = MAX_STATEMENTS, maxCharacters = MAX_CHARACTERS) {
    this.#max = max;
    this.#maxCharacters = maxCharacters;
  }

  /**
   * What was prepared for an older schema is forgotten. A statement keeps the types that its parameters got when it was
   * parsed, whatever becomes of the columns that they are compared with.
   */
  useGeneration(generation: number): void {
    if (generation <= this.#generation) return;
    this.#generation = generation;
    const names = [...this.#texts.values()].flatMap((prepared) => [...prepared.names.values()]);
    const unwanted = [...this.#unwanted, ...names];
    this.clear();
    this.#unwanted = unwanted;
  }

  /** The name of a statement that is there. */
  find({ scope = '', text }: StatementKey): string | undefined {
    const prepared = this.#texts.get(text);
    const name = prepared?.names.get(scope);
    if (prepared !== undefined && name !== undefined) prepared.lastUse = this.#nextUse();
    return name;
  }

  /** A name that this connection has never had. */
  newName(): string {
    this.#made += 1;
    return `g${this.#made}`;
  }

  /** The server has prepared a statement, perhaps once more: each segment prepares what it needs. */
  add(key: StatementKey, name: string): void {
    this.remove(key);
    const prepared = this.#texts.get(key.text) ?? { names: new Map<string, string>(), lastUse: 0 };
    prepared.lastUse = this.#nextUse();
    prepared.names.set(key.scope ?? '', name);
    this.#texts.set(key.text, prepared);
    this.#size += 1;
    this.#characters += key.text.length;
    while (this.#size > this.#max || this.#characters > this.#maxCharacters) this.#removeOldest();
  }

  /** A statement is of no use any more. */
  remove({ scope = '', text }: StatementKey): void {
    const { names } = this.#texts.get(text) ?? {};
    const name = names?.get(scope);
    if (names === undefined || name === undefined) return;
    names.delete(scope);
    if (names.size === 0) this.#texts.delete(text);
    this.#size -= 1;
    this.#characters -= text.length;
    this.#unwanted.push(name);
  }

  /** The server has none of them any more. */
  clear(): void {
    this.#texts.clear();
    this.#size = 0;
    this.#characters = 0;
    this.#unwanted = [];
  }

  /** The statements to close before anything else is written; each is told once. */
  takeUnwanted(): string[] {
    if (this.#unwanted.length === 0) return this.#unwanted;
    const names = this.#unwanted;
    this.#unwanted = [];
    return names;
  }

  /** Removes the first scope of the text that has not been used for the longest time. */
  #removeOldest(): void {
    let oldest: [text: string, prepared: Prepared] | undefined;
    for (const entry of this.#texts) {
      if (oldest === undefined || entry[1].lastUse < oldest[1].lastUse) oldest = entry;
    }
    if (oldest === undefined) return;
    const [text, { names }] = oldest;
    const [scope = ''] = names.keys();
    this.remove({ scope, text });
  }

  #nextUse(): number {
    this.#uses += 1;
    return this.#uses;
  }
}
