/** A database with a schema that has one of everything, and its cache as a login role sees it that may do nothing. */
import { readFile } from 'node:fs/promises';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { loadSchemaCache, type SchemaCacheSettings } from '../load.ts';
import type { SchemaCache } from '../schema-cache.ts';

/** What of it is exposed. */
export const THEATRE: SchemaCacheSettings = {
  schemas: ['theatre', 'archive', 'not_there'],
  extraSearchPath: ['props'],
};

/** Makes the database. */
export async function createTheatre(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  const sql = await readFile(new URL('./theatre.sql', import.meta.url), 'utf8');
  await database.run(sql);
  return database;
}

/** Loads its cache, as the role of a service that has no rights in these schemas. */
export function loadTheatre({ auth }: TestDatabase): Promise<SchemaCache> {
  return loadSchemaCache(auth, { ...THEATRE, generation: 1 });
}
