/** The types as the library itself generates them, without this package. */
import {
  generateGo,
  generatePython,
  generateSwift,
  generateTypescript,
  sortGeneratorMetadata,
} from '@supabase/postgrest-typegen/generation';
import { introspect } from '@supabase/postgrest-typegen/introspection';
import pg from 'pg';
import type { Language } from '../language.ts';

/** Returns the text for each language. */
export async function libraryTypes(
  url: string,
  includedSchemas: string[],
): Promise<Readonly<Record<Language, string>>> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  // The pool does not wait until its connection is closed, and the end of the database ends it.
  pool.on('error', () => undefined);
  const metadata = sortGeneratorMetadata(await introspect(pool, { includedSchemas }));
  await pool.end();
  return {
    typescript: await generateTypescript(metadata, { detectOneToOneRelationships: true }),
    go: generateGo(metadata),
    python: generatePython(metadata),
    swift: generateSwift(metadata, { accessControl: 'internal' }),
  };
}
