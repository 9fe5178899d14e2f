/**
 * Bodies: bytes → JSON → named fields. Whatever the content type says, a body is JSON. In charge of syntax
 * only; what a field may hold is decided where it is used.
 */
import { z } from 'zod';
import { failure } from './errors.ts';

/** Far deeper than any client nests, far less than what exhausts a stack, ours or PostgreSQL's. */
const MAX_DEPTH = 100;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A text field. Absent and null count as empty, as they do for GoTrue. */
export const textField = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

/** A text field whose absence matters. Null counts as absent. */
export const optionalTextField = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined);

/** An object of anything, e.g. metadata. Null counts as absent. */
export const objectField = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) => value ?? undefined);

/**
 * Reads the fields of `schema` from a body; others are ignored. Throws `bad_json` where the body is not JSON
 * in UTF-8 or a field is of the wrong type, `validation_failed` where PostgreSQL could not store a text of
 * it.
 */
export function parseBody<T>(body: Uint8Array | undefined, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(parseJson(body) ?? {});
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join('.') || 'the body';
  throw badJson(`${field} is of the wrong type`);
}

function parseJson(body: Uint8Array | undefined): unknown {
  if (body === undefined || body.length === 0) throw badJson('unexpected end of JSON input');
  const value = decodeJson(body);
  checkStorable(value, 0);
  return value;
}

// The parser's own messages quote the body, which may hold a password.
function decodeJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw badJson('it is not valid JSON in UTF-8');
  }
}

/** PostgreSQL stores neither NUL nor half a surrogate pair in text or jsonb. */
function checkStorable(value: unknown, depth: number): void {
  if (typeof value === 'string') checkText(value);
  if (typeof value !== 'object' || value === null) return;
  if (depth >= MAX_DEPTH) throw badJson(`it is nested deeper than ${MAX_DEPTH} levels`);
  for (const [key, item] of Object.entries(value)) {
    checkText(key);
    checkStorable(item, depth + 1);
  }
}

function checkText(text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw failure('validation_failed', { message: 'Text must not contain NUL or half a surrogate pair' });
  }
}

function badJson(reason: string) {
  return failure('bad_json', { message: `Could not parse request body as JSON: ${reason}` });
}
