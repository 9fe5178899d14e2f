/**
 * Bodies: bytes → JSON → named fields. Whatever the content type says, a body is JSON. In charge of syntax
 * only; what a field may hold is decided where it is used.
 */
import { z } from 'zod';
import { failure } from '../errors.ts';
import { shapeOf } from './json-shape.ts';

/** Far deeper than any client nests, far less than what exhausts a stack, ours or PostgreSQL's. */
const MAX_DEPTH = 100;
/** Members and elements of a body: several times what `user_metadata` of a real account has. */
const MAX_ITEMS = 5000;

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

/** An object of anything, e.g. metadata. Null counts as absent. Its members are not visited: there may be thousands. */
export const objectField = z
  .custom<Record<string, unknown>>(isObject)
  .nullish()
  .transform((value) => (value ? withoutPrototype(value) : undefined));

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member `__proto__` could change the prototype of objects that it is assigned to. */
function withoutPrototype(value: Record<string, unknown>): Record<string, unknown> {
  if (!Object.hasOwn(value, '__proto__')) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== '__proto__'));
}

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
  const { depth, items } = shapeOf(body);
  if (depth > MAX_DEPTH) throw badJson(`it is nested deeper than ${MAX_DEPTH} levels`);
  if (items > MAX_ITEMS) throw badJson(`it has more than ${MAX_ITEMS} members and elements`);
  const text = decodeText(body);
  const value = decodeJson(text);
  // NUL and half a surrogate pair can only be there as escapes.
  if (text.includes('\\u')) checkStorable(value);
  return value;
}

function decodeText(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch {
    throw notJson();
  }
}

// The parser's own messages quote the body, which may hold a password.
function decodeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

/** PostgreSQL stores neither NUL nor half a surrogate pair in text or jsonb. */
function checkStorable(value: unknown): void {
  if (typeof value === 'string') checkText(value);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    checkText(key);
    checkStorable(item);
  }
}

function checkText(text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw failure('validation_failed', { message: 'Text must not contain NUL or half a surrogate pair' });
  }
}

function notJson() {
  return badJson('it is not valid JSON in UTF-8');
}

function badJson(reason: string) {
  return failure('bad_json', { message: `Could not parse request body as JSON: ${reason}` });
}
