/** Databases with the schemas of `testing/schemas/`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestDatabase } from '@greenroom/testing';
import pg from 'pg';

/** Folder with a folder for each schema: `schema.sql`, and `queries.ts`, which uses its types. */
export const SCHEMAS_FOLDER = join(import.meta.dirname, 'schemas');

/** The folders, and the schemas of the database that their types describe. */
export const SCHEMAS: Readonly<Record<string, string[]>> = {
  columns: ['public'],
  relationships: ['public'],
  views: ['public'],
  functions: ['public'],
  'computed-fields': ['public'],
  composites: ['public'],
  partitions: ['public'],
  'several-schemas': ['public', 'shop', 'back office'],
  names: ['public'],
  empty: ['public', 'nothing'],
};

/** Creates a database in which `postgres` owns the objects of a folder, as after migrations of a project. */
export async function createDatabaseOf(folder: string) {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  await client.query(await readFile(join(SCHEMAS_FOLDER, folder, 'schema.sql'), 'utf8'));
  await client.end();
  return database;
}
