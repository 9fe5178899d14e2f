import { createHash } from 'node:crypto';
import type { CompletedPart } from './object-store.ts';

/** ETag of multipart content as in S3: the MD5 of the parts' MD5s, and the number of parts. Includes the quotes. */
export function partsETag(parts: readonly CompletedPart[]): string {
  const hash = createHash('md5');
  for (const { eTag } of parts) hash.update(Buffer.from(eTag.replaceAll('"', ''), 'hex'));
  return `"${hash.digest('hex')}-${parts.length}"`;
}
