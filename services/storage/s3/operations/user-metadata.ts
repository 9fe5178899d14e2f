/** Formats user metadata as headers `x-amz-meta-…`. */
import type { UserMetadata } from '../../validate/user-metadata.ts';

const PREFIX = 'x-amz-meta-';
const NAME = /^[a-z0-9!#$%&'*+.^_`|~-]+$/;
const VALUE = /^[\t\x20-\x7e]*$/;

/**
 * Returns headers for entries that headers can represent, and the number of other entries: uploads by other protocols
 * accept any JSON.
 */
export function userMetadataHeaders(metadata: UserMetadata | null): Record<string, string> {
  const entries = Object.entries(metadata ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
  const representable = entries.filter(
    (entry): entry is readonly [string, string] =>
      NAME.test(entry[0]) && typeof entry[1] === 'string' && VALUE.test(entry[1]),
  );
  const missing = entries.length - representable.length;
  return {
    ...Object.fromEntries(representable.map(([name, value]) => [PREFIX + name, value])),
    ...(missing > 0 && { 'x-amz-missing-meta': String(missing) }),
  };
}
