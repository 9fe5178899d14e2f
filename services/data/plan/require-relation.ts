/** Resolves the relation that a path names. */
import { failure } from '../errors.ts';
import { CLOSE_SIMILARITY, nearestName } from '../schema-cache/nearest-name.ts';
import { keyOf, type QualifiedName, type Relation, type SchemaCache } from '../schema-cache/schema-cache.ts';

/** Returns the relation. Throws PGRST205, with the nearest name as a hint, if it does not exist or is not exposed. */
export function requireRelation({ relations }: SchemaCache, qualifiedName: QualifiedName): Relation {
  const relation = relations.get(keyOf(qualifiedName));
  if (relation !== undefined) return relation;
  const { schema, name } = qualifiedName;
  const names = [...relations.values()].filter((known) => known.schema === schema).map((known) => known.name);
  const near = nearestName(name, names, CLOSE_SIMILARITY);
  throw failure('PGRST205', {
    message: `Could not find the table '${schema}.${name}' in the schema cache`,
    extra: { hint: near === undefined ? null : `Perhaps you meant the table '${schema}.${near}'` },
  });
}
