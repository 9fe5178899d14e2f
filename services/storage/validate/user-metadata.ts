/** Metadata of people's own about an object. */
import { failure } from '../errors.ts';

const MAX_BYTES = 1024 * 1024;

/** What a client may say about an object: an object of JSON. */
export type UserMetadata = Record<string, unknown>;

/** Of a form field. What is no JSON object counts as none. Throws EntityTooLarge. */
export function readUserMetadata(text: string | undefined): UserMetadata | undefined {
  if (text === undefined) return undefined;
  if (Buffer.byteLength(text) > MAX_BYTES) {
    throw failure('EntityTooLarge', { message: 'The user_metadata exceeded the maximum allowed size' });
  }
  return parseObject(text);
}

/** Of header `x-metadata`: JSON in base64. */
export function readMetadataHeader(header: string | string[] | undefined): UserMetadata | undefined {
  if (typeof header !== 'string') return undefined;
  return parseObject(Buffer.from(header, 'base64').toString('utf8'));
}

function parseObject(text: string): UserMetadata | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as UserMetadata)
      : undefined;
  } catch {
    return undefined;
  }
}
