/** Which relationship an embed means. Pure; that there must be exactly one is for the planner to say. */
import {
  type KeyRelationship,
  keyOf,
  type QualifiedName,
  type Relationship,
  type SchemaCache,
} from './schema-cache.ts';

/** What an embed says about its relationship: `target!hint(…)`. */
interface RelationshipQuery {
  target: string;
  hint: string | undefined;
}

/**
 * All relationships of a relation that an embed may mean, in a stable order. Only relations and functions of the schema
 * of the origin have names that can be said.
 *
 * The target is the name of the other relation, of a constraint, of a column of the origin which is a key by itself, or
 * of a function. Constraints and columns do not lead to views: the same ones would lead to the table behind as well.
 * With a hint the target is the other relation, and the hint a constraint, a column of either side, or a junction.
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
 * Both directions of a self-reference lead to the same relation by the same key: its name means the rows that refer to
 * this one, the column of the key means the row that this one refers to.
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

/** Columns of a key are names for it only where it has one on each side. */
function singleColumns({ columns }: KeyRelationship): readonly [string, string] | undefined {
  return columns.length === 1 ? columns[0] : undefined;
}
