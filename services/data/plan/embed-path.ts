/** Resolves the path of a parameter to an embed: `films.roles.limit=3`. */
import { failure } from '../errors.ts';
import type { Embed, ReadNode } from './read-node.ts';

/**
 * Returns the node at the end of a path.
 * @param allowsTargets whether a path may also refer to an embed with an alias by its target
 * @throws PGRST108 if an embed of the path does not exist
 */
export function nodeAt(root: ReadNode, path: readonly string[], allowsTargets: boolean): ReadNode {
  return path.reduce((node, name) => findEmbed(node, name, allowsTargets).node, root);
}

/** Returns the embed of a node by its name. Throws PGRST108 if it does not exist. */
export function findEmbed({ embeds }: ReadNode, name: string, allowsTargets: boolean): Embed {
  const named = embeds.find((embed) => embed.name === name);
  if (named !== undefined) return named;
  const byTarget = embeds.find(({ target }) => target === name);
  if (byTarget === undefined || !allowsTargets) {
    throw failure('PGRST108', {
      message: `'${name}' is not an embedded resource in this request`,
      extra:
        byTarget === undefined
          ? { hint: `Verify that '${name}' is included in the 'select' query parameter.` }
          : {
              details: 'Target names are not allowed in filters if they have an alias',
              hint: `Change '${name}' to '${byTarget.name}' in filters, orders or limits.`,
            },
    });
  }
  byTarget.isReferencedByTarget = true;
  return byTarget;
}

/** A reference of a parameter to an embed by its target although the embed has an alias. */
export interface LegacyReference {
  target: string;
  /** The alias. */
  name: string;
}

/** Returns the legacy references in the paths of a planned read, outer embeds first. */
export function legacyReferences({ embeds }: ReadNode): LegacyReference[] {
  return embeds.flatMap(({ node, target, name, isReferencedByTarget }) => {
    const inner = legacyReferences(node);
    return isReferencedByTarget ? [{ target, name }, ...inner] : inner;
  });
}
