/** The studio database of the tests below HTTP, and its schema cache. */
import { readFile } from 'node:fs/promises';
import { type Database, openDatabase, openRawPool, type RawPool } from '@greenroom/postgres';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import type { Outcome } from '../../execute/outcome.ts';
import { runTransaction } from '../../execute/run.ts';
import type { Transaction } from '../../execute/transaction.ts';
import { loadSchemaCache, type SchemaCacheSettings } from '../../schema-cache/load.ts';
import type { SchemaCache } from '../../schema-cache/schema-cache.ts';

/** The schemas of tests that introspect one of everything. */
export const THEATRE: SchemaCacheSettings = {
  schemas: ['theatre', 'annex', 'not_there'],
  extraSearchPath: ['props'],
};

/** The schemas that a test exposes: `studio` if not given, with the extra search path `public`. */
type StudioOptions = Partial<SchemaCacheSettings>;

/** The caller and the statement of a transaction. */
interface StudioTransaction extends Pick<Transaction, 'main' | 'isReadOnly' | 'runsFunctions'> {
  role: string;
  searchPath: readonly string[];
  method?: string;
  path?: string;
}

/** The studio database. Subclasses add a way to use it. */
export class Studio {
  readonly cache: SchemaCache;
  readonly database: TestDatabase;
  /** A superuser's connection with the search path `studio, public`. */
  readonly client: Database;
  readonly #pool: RawPool;

  protected constructor(database: TestDatabase, cache: SchemaCache) {
    this.database = database;
    this.cache = cache;
    const url = new URL(database.url);
    url.searchParams.set('options', '-c search_path=studio,public');
    this.client = openDatabase({ url: url.href, max: 1, applicationName: 'test' });
    this.#pool = openRawPool({ url: database.authenticatorUrl, max: 1, applicationName: 'test' });
  }

  /** Creates the database and loads its schema cache. */
  static async open<This extends Studio>(
    this: { prototype: This } & typeof Studio,
    options: StudioOptions = {},
  ): Promise<This> {
    const script = await readFile(new URL('./studio.sql', import.meta.url), 'utf8');
    const database = await createTestDatabase(script);
    const cache = await loadSchemaCache(database.auth, {
      schemas: ['studio'],
      extraSearchPath: ['public'],
      ...options,
      generation: 1,
    });
    return new this(database, cache) as This;
  }

  async close(): Promise<void> {
    await Promise.all([this.client.close(), this.#pool.close()]);
    await this.database.drop();
  }

  /** Runs a statement as a request of this role does, and commits it. */
  protected run(transaction: StudioTransaction): Promise<Outcome> {
    const { role, searchPath, method = 'GET', path = '/', ...rest } = transaction;
    const request = { claims: '{}', method, path, headers: '{}', cookies: '{}' };
    return runTransaction(this.#pool, {
      ...rest,
      generation: 1,
      settings: { searchPath, role, ...request },
      ending: { kind: 'implicit' },
    });
  }
}
