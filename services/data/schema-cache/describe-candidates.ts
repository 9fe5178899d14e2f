/**
 * Details and hints of the errors for missing and ambiguous relationships. The texts equal PostgREST's, because clients may
 * parse them.
 */
import { nearestName } from './nearest-name.ts';
import {
  type ColumnPair,
  keyOf,
  type QualifiedName,
  type Relationship,
  type SchemaCache,
} from './schema-cache.ts';

/** One entry of the details of PGRST201. */
interface Candidate {
  cardinality: string;
  embedding: string;
  relationship: string;
}

/** Returns the details of PGRST201: one entry for each matching relationship. */
export function describeCandidates(relationships: readonly Relationship[]): Candidate[] {
  return relationships.map((relationship) => ({
    cardinality: relationship.cardinality,
    embedding: `${relationship.from.name} with ${relationship.to.name}`,
    relationship: describe(relationship),
  }));
}

function describe(relationship: Relationship): string {
  switch (relationship.kind) {
    case 'key': {
      const { constraint, from, to, columns } = relationship;
      return `${constraint} using ${from.name}${left(columns)} and ${to.name}${right(columns)}`;
    }
    case 'junction': {
      const { junction, fromConstraint, fromColumns, toConstraint, toColumns } = relationship;
      return `${junction.name} using ${fromConstraint}${right(fromColumns)} and ${toConstraint}${left(toColumns)}`;
    }
    case 'computed':
      return `${relationship.function.name}(${relationship.from.name})`;
  }
}

function left(columns: readonly ColumnPair[]): string {
  return `(${columns.map(([column]) => column).join(', ')})`;
}

function right(columns: readonly ColumnPair[]): string {
  return `(${columns.map(([, column]) => column).join(', ')})`;
}

/**
 * Returns the hint of PGRST201: alternatives for the target. A computed relationship is identified by the name of its
 * function instead of `target!hint`.
 */
export function ambiguousHint(target: string, relationships: readonly Relationship[]): string {
  const choices = relationships.map((relationship) => `'${choiceOf(relationship)}'`);
  return `Try changing '${target}' to one of the following: ${choices.join(', ')}. Find the desired relationship in the 'details' key.`;
}

function choiceOf(relationship: Relationship): string {
  switch (relationship.kind) {
    case 'key':
      return `${relationship.to.name}!${relationship.constraint}`;
    case 'junction':
      return `${relationship.to.name}!${relationship.junction.name}`;
    case 'computed':
      return relationship.function.name;
  }
}

/**
 * Returns the hint of PGRST200: a name similar to the origin if the origin does not exist, otherwise one similar to the
 * target. Null if both names exist, because then the hint of the embed is wrong.
 */
export function missingHint(
  { relations, relationships }: Pick<SchemaCache, 'relations' | 'relationships'>,
  origin: QualifiedName,
  target: string,
): string | null {
  const related = relationships.get(keyOf(origin));
  if (!related && relations.has(keyOf(origin))) return null;
  const [wrong, names] = related
    ? [target, namesWithin(origin.schema, related, ({ to }) => to)]
    : [origin.name, namesWithin(origin.schema, [...relationships.values()].flat(), ({ from }) => from)];
  if (names.includes(wrong)) return null;
  const near = nearestName(wrong, names);
  return near === undefined ? null : `Perhaps you meant '${near}' instead of '${wrong}'.`;
}

function namesWithin(
  schema: string,
  relationships: readonly Relationship[],
  end: (relationship: Relationship) => QualifiedName,
): string[] {
  const names = relationships.map(end).filter((name) => name.schema === schema);
  return [...new Set(names.map(({ name }) => name))];
}
