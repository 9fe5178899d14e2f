/** What a role may see and do in plain SQL, on a connection of its own. Nothing of it stays. */
import { type Database, openDatabase, type Transaction } from '@greenroom/postgres';
import { type Asker, TABLES } from './club.ts';

/** What a statement has done, or why it was refused. */
interface PlainOutcome {
  /** SQLSTATE. */
  error: string | undefined;
  rows: Record<string, unknown>[];
  /** After a write, all rows of all tables, whoever may see them. */
  state: string[];
}

/** Claims as a request has them. */
export function claimsOf({ role, sub }: Asker): Record<string, unknown> {
  return sub === undefined ? { role } : { sub, role };
}

/** A superuser's connection that takes roles, as psql would. */
export class PlainSql {
  readonly #database: Database;
  #visible = new Map<Asker, Promise<Set<string>>>();

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

  /** Runs a statement as somebody, looks at what it has done, and undoes it. */
  async run(asker: Asker, text: string): Promise<PlainOutcome> {
    let outcome: PlainOutcome | undefined;
    const undone = new Error('undone');
    try {
      await this.#database.transaction(async (tx) => {
        await become(tx, asker.role, asker);
        const rows = await tx.query<Record<string, unknown>>({ text });
        await become(tx, 'none', asker);
        outcome = { error: undefined, rows, state: isRead(text) ? [] : await stateIn(tx) };
        throw undone;
      });
    } catch (error) {
      if (error !== undone) return { error: sqlStateOf(error), rows: [], state: [] };
    }
    if (outcome === undefined) throw new Error('nothing was run');
    return outcome;
  }

  /** The marks of all rows that somebody sees. What may not be asked for is not seen. */
  visible(asker: Asker): Promise<Set<string>> {
    const marks = this.#visible.get(asker) ?? this.#lookAround(asker);
    this.#visible.set(asker, marks);
    return marks;
  }

  /** Something has changed: who sees what has to be found out again. */
  forget(): void {
    this.#visible = new Map();
  }

  async #lookAround(asker: Asker): Promise<Set<string>> {
    const asked = TABLES.map((table) => this.run(asker, `select mark from ${table}`));
    const rows = (await Promise.all(asked)).flatMap((outcome) => outcome.rows);
    return new Set(rows.map(({ mark }) => String(mark)));
  }
}

function isRead(text: string): boolean {
  return text.startsWith('explain') || (text.startsWith('select') && !text.includes('move_docs'));
}

function become(tx: Transaction, role: string, asker: Asker): Promise<unknown> {
  return tx.query({
    text: "select set_config('request.jwt.claims', $1, true), set_config('role', $2, true)",
    values: [JSON.stringify(claimsOf(asker)), role],
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
