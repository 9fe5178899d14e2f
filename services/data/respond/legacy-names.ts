/** The warning that a parameter refers to an embed by its target although it has an alias. PostgREST deprecates this. */
import { type Header, headerBytes } from '../headers.ts';
import type { LegacyReference } from '../plan/embed-path.ts';

/** PostgREST's wording. */
const DEPRECATED =
  'Embedded resource was referenced by relation name even though it has an alias. This is deprecated and will stop working in a future release.';

const NONE: Header[] = [];

/** Returns the header Warning (RFC 7234 §5.5.7), or an empty list if there are no legacy references. */
export function legacyNameWarnings(references: readonly LegacyReference[]): Header[] {
  if (references.length === 0) return NONE;
  const changes = [...new Set(references.map(({ target, name }) => `\`${target}\` to \`${name}\``))].join(
    ', ',
  );
  const text = `${DEPRECATED} Update ${changes} in query string filters, orders or limits.`;
  return [['warning', headerBytes(`299 - "${text.replace(/["\\]/g, '\\$&').replace(/\p{Cc}/gu, ' ')}"`)]];
}
