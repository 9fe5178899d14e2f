/**
 * The prepared statements of one connection: which there are, and under which names. A statement that is run by several
 * roles is prepared once for each: PostgreSQL makes the plan of a table under row-level security anew whenever another
 * role than the last runs it.
 */

/** Most statements that are kept on one connection. Their texts come from clients, so there must be a limit. */
const MAX_STATEMENTS = 250;
/**
 * Most characters of all their texts. PostgreSQL needs up to a hundred bytes for each, on every connection: a select list at
 * its limit takes three megabytes.
 */
const MAX_CHARACTERS = 500_000;

/**
 * A statement: its text, for one role and schema. They are kept apart, because the text is the same string as long as its
 * plan lives, and JavaScript remembers the hash of a string: put together, thousands of characters would be hashed each time.
 */
export interface StatementKey {
  scope: string;
  text: string;
}

/** Chooses names, and forgets the statements that have not been used for the longest time. */
export class PreparedStatements {
  readonly #max: number;
  readonly #maxCharacters: number;
  /** By text, in the order of their last use: scopes and names. */
  readonly #texts = new Map<string, Map<string, string>>();
  #unwanted: string[] = [];
  #made = 0;
  #size = 0;
  #characters = 0;

  constructor(max = MAX_STATEMENTS, maxCharacters = MAX_CHARACTERS) {
    this.#max = max;
    this.#maxCharacters = maxCharacters;
  }

  /** The name of a statement that is there. */
  find({ scope, text }: StatementKey): string | undefined {
    const names = this.#texts.get(text);
    const name = names?.get(scope);
    if (names === undefined || name === undefined) return undefined;
    this.#texts.delete(text);
    this.#texts.set(text, names);
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
    const names = this.#texts.get(key.text) ?? new Map<string, string>();
    this.#texts.delete(key.text);
    this.#texts.set(key.text, names.set(key.scope, name));
    this.#size += 1;
    this.#characters += key.text.length;
    for (const [text, old] of this.#texts) {
      for (const scope of old.keys()) {
        if (this.#size <= this.#max && this.#characters <= this.#maxCharacters) return;
        this.remove({ scope, text });
      }
    }
  }

  /** A statement is of no use any more. */
  remove({ scope, text }: StatementKey): void {
    const names = this.#texts.get(text);
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
}
