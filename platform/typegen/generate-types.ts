/**
 * Generates the types. The library and its formatter are loaded with the first call, because they are large and only a
 * few commands need them.
 */
import type { GeneratorMetadata } from '@supabase/postgrest-typegen';
import type { Language, SwiftAccessControl } from './language.ts';
import { readSchemas, type SchemaSource } from './read-schemas.ts';

/** What to generate. */
export interface TypesRequest extends Omit<SchemaSource, 'url'> {
  language: Language;
  /** Ignored by other languages than Swift. */
  swiftAccessControl: SwiftAccessControl;
}

/**
 * Returns the source text of the types of a database.
 * @param url connection URL
 * @throws TypesError if the database cannot be read
 */
export async function generateTypes(url: string, request: TypesRequest): Promise<string> {
  return generate(await readSchemas({ ...request, url }), request);
}

async function generate(
  metadata: GeneratorMetadata,
  { language, swiftAccessControl }: TypesRequest,
): Promise<string> {
  const library = await import('@supabase/postgrest-typegen/generation');
  switch (language) {
    case 'typescript':
      // As the Supabase CLI does: the client infers single objects from it.
      return library.generateTypescript(metadata, { detectOneToOneRelationships: true });
    case 'go':
      return library.generateGo(metadata);
    case 'python':
      return library.generatePython(metadata);
    case 'swift':
      return library.generateSwift(metadata, { accessControl: swiftAccessControl });
  }
}
