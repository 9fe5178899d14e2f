/** Finds the relationships that match an embed. It is pure; the planner requires exactly one match. */
import {
  type KeyRelationship,
  keyOf,
  type QualifiedName,
  type Relationship,
  type SchemaCache,
} from './schema-cache.ts';

/** The part of an embed that identifies its relationship: `target!hint(…)`. */
interface RelationshipQuery {
  target: string;
  hint: string | undefined;
}

/**
 * Returns all relationships of a relation that match an embed, in a stable order. An embed can only name relations and
 * functions of the origin's schema.
 *
 * Without a hint, the target is the name of the other relation, a constraint, a column of the origin that alone is a
 * foreign key, or a function. Constraints and columns do not match views, because they also match the table behind the
 * view. With a hint, the target is the other relation, and the hint is a constraint, a column of either side, or a
 * junction.
 */
export function findRelationships(
  cache: Pick<SchemaCache, 'relationships'>,
  origin: QualifiedName,
  { target, hint }: RelationshipQuery,
): Relationship[] {
  const relationships = cache.relationships.get(keyOf(origin)) ?? [];
  return relationships.filter((relationship) => {
    if (relationship.kind === 'computed') {
      const { schema, name } = relationship.function;
      return schema === origin.schema && name === target;
    }
    if (relationship.to.schema !== origin.schema) return false;
    if (relationship.isSelf) return matchesSelf(relationship, target, hint);
    return hint === undefined ? matches(relationship, target) : matchesHint(relationship, target, hint);
  });
}

/**
 * Both directions of a self-reference have the same relation and the same key. The name of the relation selects the
 * rows that refer to this row; the column of the key selects the row that this row refers to.
 */
function matchesSelf(relationship: Relationship, target: string, hint: string | undefined): boolean {
  if (relationship.kind !== 'key') return false;
  const { cardinality, to } = relationship;
  if (cardinality === 'one-to-many' && target === to.name) {
    return hint === undefined || hint === singleColumns(relationship)?.[1];
  }
  return hint === undefined && cardinality === 'many-to-one' && target === singleColumns(relationship)?.[0];
}

function matches(relationship: Relationship, target: string): boolean {
  if (target === relationship.to.name) return true;
  if (relationship.kind !== 'key' || relationship.isToView) return false;
  return target === relationship.constraint || target === singleColumns(relationship)?.[0];
}

function matchesHint(relationship: Relationship, target: string, hint: string): boolean {
  if (target !== relationship.to.name) return false;
  if (relationship.kind === 'junction') return hint === relationship.junction.name;
  if (relationship.kind !== 'key') return false;
  return hint === relationship.constraint || (singleColumns(relationship)?.includes(hint) ?? false);
}

/** Returns the columns of a single-column key. The columns of a composite key do not identify it. */
function singleColumns({ columns }: KeyRelationship): readonly [string, string] | undefined {
  return columns.length === 1 ? columns[0] : undefined;
}
