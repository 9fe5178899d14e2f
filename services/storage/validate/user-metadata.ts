/** Parses metadata that users attach to an object. */
import { failure } from '../errors.ts';

const MAX_BYTES = 1024 * 1024;

/** A JSON object of user metadata. */
export type UserMetadata = Record<string, unknown>;

/** Parses a form field; undefined if it is not a JSON object. Throws EntityTooLarge. */
export function readUserMetadata(text: string | undefined): UserMetadata | undefined {
  if (text === undefined) return undefined;
  requireSmall(text);
  return parseObject(text);
}

/** Checks metadata that was sent as several fields. Throws EntityTooLarge. */
export function requireSmallMetadata<Metadata extends UserMetadata>(metadata: Metadata): Metadata {
  requireSmall(JSON.stringify(metadata));
  return metadata;
}

function requireSmall(text: string): void {
  if (Buffer.byteLength(text) > MAX_BYTES)
    throw failure('EntityTooLarge', { message: 'The user_metadata exceeded the maximum allowed size' });
}

/** Parses the header `x-metadata`, JSON in base64. */
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
