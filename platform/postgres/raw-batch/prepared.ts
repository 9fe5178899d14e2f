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

/** What a statement is known by: its text, for one role and schema. */
export function statementKey(scope: string, text: string): string {
  return `${scope}\0${text}`;
}

/** Chooses names, and forgets the statements that have not been used for the longest time. */
export class PreparedStatements {
  readonly #max: number;
  readonly #maxCharacters: number;
  /** Key to name, in the order of their last use. */
  readonly #names = new Map<string, string>();
  #unwanted: string[] = [];
  #count = 0;
  #characters = 0;

  constructor(max = MAX_STATEMENTS, maxCharacters = MAX_CHARACTERS) {
    this.#max = max;
    this.#maxCharacters = maxCharacters;
  }

  /** The name of a statement that is there. */
  find(key: string): string | undefined {
    const name = this.#names.get(key);
    if (name === undefined) return undefined;
    this.#names.delete(key);
    this.#names.set(key, name);
    return name;
  }

  /** A name that this connection has never had. */
  newName(): string {
    this.#count += 1;
    return `g${this.#count}`;
  }

  /** The server has prepared a statement, perhaps once more: each segment prepares what it needs. */
  add(key: string, name: string): void {
    this.remove(key);
    this.#names.set(key, name);
    this.#characters += key.length;
    for (const oldest of this.#names.keys()) {
      if (this.#names.size <= this.#max && this.#characters <= this.#maxCharacters) break;
      this.remove(oldest);
    }
  }

  /** A statement is of no use any more. */
  remove(key: string): void {
    const name = this.#names.get(key);
    if (name === undefined) return;
    this.#names.delete(key);
    this.#characters -= key.length;
    this.#unwanted.push(name);
  }

  /** The server has none of them any more. */
  clear(): void {
    this.#names.clear();
    this.#characters = 0;
    this.#unwanted = [];
  }

  /** The statements to close before anything else is written; each is told once. */
  takeUnwanted(): string[] {
    const names = this.#unwanted;
    this.#unwanted = [];
    return names;
  }
}
