/** UUIDs in hexadecimal notation with hyphens (RFC 9562 §4). */
import type { AuthRequest } from '../contracts/request.ts';
import { failure } from '../errors.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Returns a UUID path parameter in lower case. Throws `validation_failed` with status 404, as GoTrue does. */
export function uuidParam({ params }: AuthRequest, name: string): string {
  const text = params[name] ?? '';
  if (isUuid(text)) return text.toLowerCase();
  const written = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  throw failure('validation_failed', { status: 404, message: `${written} must be an UUID` });
}
