/**
 * The names of the prepared statements of one connection. A statement that several roles run is prepared once for each:
 * PostgreSQL discards the plan of a table under row-level security whenever the role differs from the one of the last
 * run.
 */

/** Maximum number of statements kept on one connection. Their texts come from clients, so there must be a limit. */
const MAX_STATEMENTS = 250;
/**
 * Maximum number of characters of all their texts. PostgreSQL needs up to a hundred bytes for each character, on every
 * connection: twenty megabytes in all.
 */
const MAX_CHARACTERS = 200_000;
/**
 * A statement with more characters is not prepared. Its plan may need much more memory than its text: 1.2 MB with 50
 * embeds (14,000 characters), 17 MB with 250 embeds (72,000 characters).
 */
export const MAX_PREPARED_CHARACTERS = 16_000;
/**
 * A connection is closed after it has planned this many characters of unprepared statements. A part of the memory for
 * planning stays with its server process: 30 to 40 MB after 250 embeds.
 */
export const MAX_OVERSIZED_CHARACTERS = 64_000;

/**
 * A statement: its text, for one role and schema. They are separate fields, because the text is the same string as long
 * as its plan lives, and JavaScript caches the hash of a string: if they were concatenated, thousands of characters
 * would be hashed each time.
 */
export interface StatementKey {
  /** Role and schema; not set for a statement that all of them share. */
  scope?: string;
  text: string;
}

/** The prepared statements of one text. */
interface Prepared {
  /** Names by scope. */
  names: Map<string, string>;
  /** Sequence number of the last use of one of them. */
  lastUse: number;
}

/** Generates names, and evicts the least recently used statements. */
export class PreparedStatements {
  readonly #max: number;
  readonly #maxCharacters: number;
  /**
   * By text. A use does not reorder the map, because deleting and setting keys makes V8 replace the map's hash table
   * again and again. A discarded table refers to its successor: once one of them is in V8's old space, all later ones
   * stay in memory until a full collection.
   */
  readonly #texts = new Map<string, Prepared>();
  #uses = 0;
  #obsolete: string[] = [];
  #created = 0;
  #generation = 0;
  #size = 0;
  #characters = 0;

  constructor(max = MAX_STATEMENTS, maxCharacters = MAX_CHARACTERS) {
    this.#max = max;
    this.#maxCharacters = maxCharacters;
  }

  /**
   * Removes the statements that were prepared for an older schema. A statement keeps the parameter types that it got
   * when it was parsed, even if the columns that they are compared with have changed.
   */
  useGeneration(generation: number): void {
    if (generation <= this.#generation) return;
    this.#generation = generation;
    const names = [...this.#texts.values()].flatMap((prepared) => [...prepared.names.values()]);
    const obsolete = [...this.#obsolete, ...names];
    this.clear();
    this.#obsolete = obsolete;
  }

  /** Returns the name of a prepared statement. */
  find({ scope = '', text }: StatementKey): string | undefined {
    const prepared = this.#texts.get(text);
    const name = prepared?.names.get(scope);
    if (prepared !== undefined && name !== undefined) prepared.lastUse = this.#nextUse();
    return name;
  }

  /** Returns a name that this connection has never used. */
  newName(): string {
    this.#created += 1;
    return `g${this.#created}`;
  }

  /**
   * Records that the server has prepared a statement, possibly again: each segment prepares the statements that it
   * needs.
   */
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

  /** Removes a statement that can no longer be used. */
  remove({ scope = '', text }: StatementKey): void {
    const { names } = this.#texts.get(text) ?? {};
    const name = names?.get(scope);
    if (names === undefined || name === undefined) return;
    names.delete(scope);
    if (names.size === 0) this.#texts.delete(text);
    this.#size -= 1;
    this.#characters -= text.length;
    this.#obsolete.push(name);
  }

  /** Records that the server has none of them any more. */
  clear(): void {
    this.#texts.clear();
    this.#size = 0;
    this.#characters = 0;
    this.#obsolete = [];
  }

  /** Returns the statements to close before anything else is written, each once. */
  takeObsolete(): string[] {
    if (this.#obsolete.length === 0) return this.#obsolete;
    const names = this.#obsolete;
    this.#obsolete = [];
    return names;
  }

  /** Removes the first scope of the least recently used text. */
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
