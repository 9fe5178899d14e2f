/** The warning that an embed with an alias was called by the name of its relation, which will not work for ever. */

import { type Header, headerBytes } from '../headers.ts';
import type { Embed, ReadNode } from '../plan/read-node.ts';

/** In PostgREST's words. */
const DEPRECATED =
  'Embedded resource was referenced by relation name even though it has an alias. This is deprecated and will stop working in a future release.';

/** Header Warning (RFC 7234 §5.5.7); empty where everything is called by its own name. */
export function legacyNameWarnings(root: ReadNode): Header[] {
  const called = embedsOf(root).filter((embed) => embed.isCalledByTarget);
  if (called.length === 0) return [];
  const changes = [...new Set(called.map(({ target, name }) => `\`${target}\` to \`${name}\``))].join(', ');
  const text = `${DEPRECATED} Update ${changes} in query string filters, orders or limits.`;
  return [['warning', headerBytes(`299 - "${text.replace(/["\\]/g, '\\$&').replace(/\p{Cc}/gu, ' ')}"`)]];
}

function embedsOf({ embeds }: ReadNode): Embed[] {
  return embeds.flatMap((embed) => [embed, ...embedsOf(embed.node)]);
}
