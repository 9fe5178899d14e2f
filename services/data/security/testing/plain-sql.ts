/** Determines what a role may read and write in plain SQL, on a separate connection. Every change is rolled back. */
import { type Database, openDatabase, type Transaction } from '@greenroom/postgres';
import { type Caller, TABLES } from './club.ts';

/** The effect of a statement, or the error that rejected it. */
interface PlainOutcome {
  /** SQLSTATE. */
  error: string | undefined;
  rows: Record<string, unknown>[];
  /** All rows of all tables after a write, regardless of policies. */
  state: string[];
}

/** Claims as a request has them. */
export function claimsOf({ role, sub }: Caller): Record<string, unknown> {
  return sub === undefined ? { role } : { sub, role };
}

/** A superuser's connection that takes roles, as psql would. */
export class PlainSql {
  readonly #database: Database;
  #visible = new Map<Caller, Promise<Set<string>>>();

  constructor(url: string) {
    this.#database = openDatabase({ url, max: 4, applicationName: 'plain sql' });
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  /** All rows of all tables. */
  state(): Promise<string[]> {
    return stateIn(this.#database);
  }

  /** Runs a statement as a caller, reads its effect, and rolls it back. */
  async run(caller: Caller, text: string): Promise<PlainOutcome> {
    let outcome: PlainOutcome | undefined;
    const rollback = new Error('undone');
    try {
      await this.#database.transaction(async (tx) => {
        await assumeRole(tx, caller.role, caller);
        const rows = await tx.query<Record<string, unknown>>({ text });
        await assumeRole(tx, 'none', caller);
        outcome = { error: undefined, rows, state: isRead(text) ? [] : await stateIn(tx) };
        throw rollback;
      });
    } catch (error) {
      if (error !== rollback) return { error: sqlStateOf(error), rows: [], state: [] };
    }
    if (outcome === undefined) throw new Error('nothing was run');
    return outcome;
  }

  /** Returns the marks of all rows that a caller may read. A table without privileges has none. */
  visible(caller: Caller): Promise<Set<string>> {
    const marks = this.#visible.get(caller) ?? this.#readMarks(caller);
    this.#visible.set(caller, marks);
    return marks;
  }

  /** Clears the cached marks after a change. */
  forget(): void {
    this.#visible = new Map();
  }

  async #readMarks(caller: Caller): Promise<Set<string>> {
    const outcomes = TABLES.map((table) => this.run(caller, `select mark from ${table}`));
    const rows = (await Promise.all(outcomes)).flatMap((outcome) => outcome.rows);
    return new Set(rows.map(({ mark }) => String(mark)));
  }
}

function isRead(text: string): boolean {
  return text.startsWith('explain') || (text.startsWith('select') && !text.includes('move_docs'));
}

function assumeRole(tx: Transaction, role: string, caller: Caller): Promise<unknown> {
  return tx.query({
    text: "select set_config('request.jwt.claims', $1, true), set_config('role', $2, true)",
    values: [JSON.stringify(claimsOf(caller)), role],
  });
}

async function stateIn({ query }: Pick<Database, 'query'>): Promise<string[]> {
  const texts = TABLES.map((table) => `select '${table}' || t::text as row from ${table} as t`);
  const rows = await query<{ row: string }>({ text: `${texts.join(' union all ')} order by 1` });
  return rows.map(({ row }) => row);
}

function sqlStateOf(error: unknown): string {
  if (error instanceof Error && 'code' in error) return String(error.code);
  throw error;
}
