/** Schemas of the project, as opposed to those of PostgreSQL, the platform and extensions. */
import { SCHEMAS_WITHOUT_OBJECTS } from '@greenroom/dump/internal-schemas';
import { quoteLiteral } from '@greenroom/postgres';

/** The patterns are those of pg_dump. */
const LIKE_PATTERNS = SCHEMAS_WITHOUT_OBJECTS.map((pattern) =>
  pattern.replaceAll('_', '\\_').replaceAll('*', '%'),
);
const LIST = LIKE_PATTERNS.map(quoteLiteral).join(', ');

/**
 * Returns the condition that a schema belongs to the project.
 * @param name SQL expression of the name
 */
export function isOwnSchema(name: string): string {
  return `${name} not like all (array[${LIST}])`;
}
