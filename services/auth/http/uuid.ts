/** UUIDs in their usual form (RFC 9562 §4). */
import type { AuthRequest } from '../contracts/request.ts';
import { failure } from '../errors.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is one. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** One of the path, in lower case. Throws `validation_failed` with status 404, as GoTrue does. */
export function uuidParam({ params }: AuthRequest, name: string): string {
  const text = params[name] ?? '';
  if (isUuid(text)) return text.toLowerCase();
  const written = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  throw failure('validation_failed', { status: 404, message: `${written} must be an UUID` });
}
