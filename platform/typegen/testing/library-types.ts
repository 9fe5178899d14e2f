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
  // One connection: the pool does not wait until it has closed the others.
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const metadata = sortGeneratorMetadata(await introspect(pool, { includedSchemas }));
  await pool.end();
  return {
    typescript: await generateTypescript(metadata, { detectOneToOneRelationships: true }),
    go: generateGo(metadata),
    python: generatePython(metadata),
    swift: generateSwift(metadata, { accessControl: 'internal' }),
  };
}
