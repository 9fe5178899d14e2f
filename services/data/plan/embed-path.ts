/** Which embed a parameter is about: `films.roles.limit=3`. */
import { failure } from '../errors.ts';
import type { Embed, ReadNode } from './read-node.ts';

/**
 * The node at the end of a path.
 * @param allowsTargets whether an embed with an alias can be called by what it embeds, too
 * @throws PGRST108 where there is none
 */
export function nodeAt(root: ReadNode, path: readonly string[], allowsTargets: boolean): ReadNode {
  return path.reduce((node, name) => findEmbed(node, name, allowsTargets).node, root);
}

/** The embed of a node with a name. Throws PGRST108 where there is none. */
export function findEmbed({ embeds }: ReadNode, name: string, allowsTargets: boolean): Embed {
  const named = embeds.find((embed) => embed.name === name);
  if (named !== undefined) return named;
  const called = embeds.find(({ target }) => target === name);
  if (called === undefined || !allowsTargets) {
    throw failure('PGRST108', {
      message: `'${name}' is not an embedded resource in this request`,
      extra:
        called === undefined
          ? { hint: `Verify that '${name}' is included in the 'select' query parameter.` }
          : {
              details: 'Target names are not allowed in filters if they have an alias',
              hint: `Change '${name}' to '${called.name}' in filters, orders or limits.`,
            },
    });
  }
  called.isCalledByTarget = true;
  return called;
}

/** An embed that a parameter called by its target although it has an alias. */
export interface LegacyReference {
  target: string;
  /** The alias. */
  name: string;
}

/** The legacy references that the paths of a planned read contain, outer embeds first. */
export function legacyReferences({ embeds }: ReadNode): LegacyReference[] {
  return embeds.flatMap(({ node, target, name, isCalledByTarget }) => {
    const inner = legacyReferences(node);
    return isCalledByTarget ? [{ target, name }, ...inner] : inner;
  });
}
