/** The ETag of content that came in parts, as S3 makes it. */
import { createHash } from 'node:crypto';
import type { CompletedPart } from './object-store.ts';

/** MD5 of the parts' MD5s, and how many there are. In quotes. */
export function partsETag(parts: readonly CompletedPart[]): string {
  const hash = createHash('md5');
  for (const { eTag } of parts) hash.update(Buffer.from(eTag.replaceAll('"', ''), 'hex'));
  return `"${hash.digest('hex')}-${parts.length}"`;
}
