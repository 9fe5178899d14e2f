/** Resolves an embed to one relationship. The error messages equal PostgREST's, because clients may parse them. */
import { failure } from '../errors.ts';
import type { SelectEmbed } from '../query/ast.ts';
import { ambiguousHint, describeCandidates, missingHint } from '../schema-cache/describe-candidates.ts';
import { findRelationships } from '../schema-cache/find-relationship.ts';
import type { QualifiedName, Relationship, SchemaCache } from '../schema-cache/schema-cache.ts';

/**
 * Returns the relationship of an embed.
 * @throws PGRST200 if no relationship matches, PGRST201 if several do
 */
export function requireRelationship(
  cache: SchemaCache,
  origin: QualifiedName,
  embed: EmbedReference,
): Relationship {
  const found = findRelationships(cache, origin, embed);
  const [relationship] = found;
  if (relationship === undefined) throw missing(cache, origin, embed);
  if (found.length > 1) throw ambiguous(origin, embed, found);
  return relationship;
}

/** Whether the relationship leads to at most one row. */
export function isToOne(relationship: Relationship): boolean {
  switch (relationship.kind) {
    case 'key':
      return relationship.cardinality !== 'one-to-many';
    case 'junction':
      return false;
    case 'computed':
      return relationship.isToOne;
  }
}

type EmbedReference = Pick<SelectEmbed, 'target' | 'hint'>;

function missing(cache: SchemaCache, origin: QualifiedName, { target, hint }: EmbedReference) {
  const by = hint === undefined ? '' : ` using the hint '${hint}'`;
  return failure('PGRST200', {
    message: `Could not find a relationship between '${origin.name}' and '${target}' in the schema cache`,
    extra: {
      details: `Searched for a foreign key relationship between '${origin.name}' and '${target}'${by} in the schema '${origin.schema}', but no matches were found.`,
      hint: missingHint(cache, origin, target),
    },
  });
}

function ambiguous(origin: QualifiedName, { target }: EmbedReference, found: readonly Relationship[]) {
  return failure('PGRST201', {
    message: `Could not embed because more than one relationship was found for '${origin.name}' and '${target}'`,
    extra: { details: describeCandidates(found), hint: ambiguousHint(target, found) },
  });
}
