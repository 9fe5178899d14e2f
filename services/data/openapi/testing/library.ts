/** A database to describe, and asking as a role what of it may be used. */
import { readFile } from 'node:fs/promises';
import { openRawPool, type RawPool } from '@greenroom/postgres';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { wholeBody } from '../../execute/outcome.ts';
import { runTransaction } from '../../execute/run.ts';
import { loadSchemaCache } from '../../schema-cache/load.ts';
import type { SchemaCache } from '../../schema-cache/schema-cache.ts';
import { type Accessible, accessibleStatement, readAccessible } from '../accessible.ts';
import { type DescribeOptions, describeApi } from '../document.ts';
import type { ApiDescription } from '../swagger.ts';

/** How a test describes. */
interface LibraryOptions extends Partial<DescribeOptions> {
  role?: string;
  mode?: 'follow-privileges' | 'ignore-privileges';
  searchPath?: readonly string[];
}

/** A database with the schema `library`. */
export class Library {
  readonly cache: SchemaCache;
  readonly #database: TestDatabase;
  readonly #pool: RawPool;

  private constructor(database: TestDatabase, pool: RawPool, cache: SchemaCache) {
    this.#database = database;
    this.#pool = pool;
    this.cache = cache;
  }

  static async open(): Promise<Library> {
    const database = await createTestDatabase();
    const text = await readFile(new URL('./library.sql', import.meta.url), 'utf8');
    await database.run(text);
    const pool = openRawPool({ url: database.authenticatorUrl, max: 1, applicationName: 'test' });
    const cache = await loadSchemaCache(database.auth, {
      schemas: ['library', 'cellar', 'vault'],
      extraSearchPath: [],
      generation: 1,
    });
    return new Library(database, pool, cache);
  }

  async close(): Promise<void> {
    await this.#pool.close();
    await this.#database.drop();
  }

  /** The body of the statement. */
  async ask(options: LibraryOptions = {}): Promise<Buffer> {
    const { role = 'anon', schema = 'library', mode = 'follow-privileges' } = options;
    const outcome = await runTransaction(this.#pool, {
      generation: 1,
      settings: {
        searchPath: options.searchPath ?? [schema, 'public'],
        role,
        claims: '{}',
        method: 'GET',
        path: '/',
        headers: '{}',
        cookies: '{}',
      },
      main: accessibleStatement(schema, mode),
      isReadOnly: true,
      ending: { kind: 'implicit' },
    });
    return wholeBody(outcome);
  }

  /** What a role may use. */
  async accessible(options: LibraryOptions = {}): Promise<Accessible> {
    return readAccessible(await this.ask(options));
  }

  /** The document, as a role gets it. */
  async describe(options: LibraryOptions = {}): Promise<ApiDescription> {
    return describeApi(this.cache, {
      schema: 'library',
      accessible: options.accessible ?? (await this.accessible(options)),
      url: 'http://127.0.0.1:54321/rest/v1',
      version: '1.2.3',
      isSecurityActive: false,
      ...options,
    });
  }
}
