/** A database to read from, its cache, and reading by a query string. */
import { readFile } from 'node:fs/promises';
import { type Database, openDatabase } from '@greenroom/postgres';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { planRead, type ReadOptions } from '../../plan/read-plan.ts';
import { bind, parametersOf, slotsOf } from '../../plan/slots.ts';
import type { Query } from '../../query/ast.ts';
import { parseQuery } from '../../query/parse-query.ts';
import { loadSchemaCache } from '../../schema-cache/load.ts';
import type { SchemaCache } from '../../schema-cache/schema-cache.ts';
import type { SqlText } from '../sql.ts';
import { readStatement, type StatementOptions } from '../statement.ts';

/** The row of a statement, as pg reads it. */
interface Answer {
  total_count: string | null;
  page_count: string;
  response_headers: string | null;
  response_status: string | null;
  body: unknown;
}

/** How a test reads. */
export interface StudioRead extends Partial<StatementOptions>, ReadOptions {
  relation?: string;
  rootLimit?: number;
  rootOffset?: number;
}

/** A database with the schema `studio`. */
export class Studio {
  readonly client: Database;
  readonly #database: TestDatabase;
  readonly cache: SchemaCache;

  private constructor(database: TestDatabase, client: Database, cache: SchemaCache) {
    this.#database = database;
    this.client = client;
    this.cache = cache;
  }

  static async open(): Promise<Studio> {
    const database = await createTestDatabase();
    const text = await readFile(new URL('./studio.sql', import.meta.url), 'utf8');
    await database.run(text);
    const cache = await loadSchemaCache(database.auth, {
      schemas: ['studio'],
      extraSearchPath: ['public'],
      generation: 1,
    });
    const url = new URL(database.url);
    url.searchParams.set('options', '-c search_path=studio,public');
    const client = openDatabase({ url: url.href, max: 1, applicationName: 'test reads' });
    return new Studio(database, client, cache);
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.#database.drop();
  }

  /** SQL and values of a query on a relation. */
  plan(query: Query, read: StudioRead = {}): SqlText & { values: string[] } {
    const slots = slotsOf(query);
    const { relation = 'films', rootLimit, rootOffset, format = { kind: 'json' }, ...options } = read;
    const node = planRead(
      query,
      this.cache,
      { relation: { schema: 'studio', name: relation }, ...(read.source && { cte: read.source.name }) },
      {
        slots,
        allowsAggregates: true,
        ...(rootLimit !== undefined && { limit: slots.count }),
        ...(rootOffset !== undefined && { offset: slots.count + 1 }),
        ...options,
      },
    );
    const statement = readStatement(node, { ...options, format });
    const values = [...parametersOf(query), String(rootLimit ?? ''), String(rootOffset ?? '')];
    return { ...statement, values: bind(statement.slots, values) };
  }

  /** What the statement of a query string answers. */
  async read(queryString: string, read: StudioRead = {}): Promise<Answer> {
    const { text, values } = this.plan(parseQuery(queryString), read);
    const [row] = await this.client.query<Answer>({ text, values });
    if (row === undefined) throw new Error('no row');
    return row;
  }
}
