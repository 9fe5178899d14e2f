/** A test oracle: determines what a role may select in plain SQL by running it on a separate connection. */
import { type Database, openDatabase } from '@greenroom/postgres';
import type { Identity } from '../feed.ts';

/** A superuser's connection that assumes roles, as psql would. It changes nothing. */
export class Oracle {
  readonly #database: Database;

  constructor(url: string) {
    // The timeout is long, because tests send thousands of queries at once, also on busy machines.
    this.#database = openDatabase({ url, max: 4, applicationName: 'oracle', connectionTimeoutMs: 120_000 });
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  /** Whether a role and claims can select a row by its id. */
  async sees(identity: Identity, table: string, id: unknown): Promise<boolean> {
    const rows = await this.#run(identity, `select id from ${table} where id = ${Number(id)}`).catch(
      () => [],
    );
    return rows.length > 0;
  }

  /** Returns the single value of a statement, run as superuser. */
  async value(text: string, values: unknown[] = []): Promise<unknown> {
    const [row] = await this.#database.query<{ value: unknown }>({ text, values });
    return row?.value;
  }

  async #run({ role, claims }: Identity, text: string): Promise<Record<string, unknown>[]> {
    const [, rows = []] = await this.#database.batch([
      {
        text: "select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)",
        values: [role, claims],
      },
      { text },
    ]);
    return rows;
  }
}
