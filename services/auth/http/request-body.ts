/**
 * Parses JSON bodies, regardless of their content type: bytes → JSON → typed fields. Checks syntax and types only;
 * endpoints validate the values.
 */
import { z } from 'zod';
import { failure } from '../errors.ts';
import { measureJson } from './json-shape.ts';

/** Much deeper than any client nests, and far from exhausting the stack of Node.js or PostgreSQL. */
const MAX_DEPTH = 100;
/** Maximum number of members and elements of a body: several times that of a real account's `user_metadata`. */
const MAX_ITEMS = 5000;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A text field. A missing field and null count as empty, as in GoTrue. */
export const textField = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

/** A text field that distinguishes missing from empty. Null counts as missing. */
export const optionalTextField = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined);

/**
 * An object with any members, e.g. metadata. Null counts as missing. Zod does not visit the members, because there may
 * be thousands.
 */
export const objectField = z
  .custom<Record<string, unknown>>(isObject)
  .nullish()
  .transform((value) => (value ? withoutPrototype(value) : undefined));

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Removes a member `__proto__`, which could change the prototype of objects that the value is assigned to. */
function withoutPrototype(value: Record<string, unknown>): Record<string, unknown> {
  if (!Object.hasOwn(value, '__proto__')) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== '__proto__'));
}

/**
 * Parses the fields of `schema` from a body and ignores other fields. Throws `bad_json` if the body is not JSON in
 * UTF-8 or a field has the wrong type. Throws `validation_failed` if PostgreSQL cannot store a text in the body.
 */
export function parseBody<T>(body: Uint8Array | undefined, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(parseJson(body) ?? {});
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join('.') || 'the body';
  throw badJson(`${field} has the wrong type`);
}

function parseJson(body: Uint8Array | undefined): unknown {
  if (body === undefined || body.length === 0) throw badJson('unexpected end of JSON input');
  const { depth, items } = measureJson(body);
  if (depth > MAX_DEPTH) throw badJson(`it is nested deeper than ${MAX_DEPTH} levels`);
  if (items > MAX_ITEMS) throw badJson(`it has more than ${MAX_ITEMS} members and elements`);
  const text = decodeText(body);
  const value = decodeJson(text);
  // In valid JSON, NUL and lone surrogates can only be written as escapes.
  if (text.includes('\\u')) checkStorable(value);
  return value;
}

function decodeText(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch {
    throw malformedJson();
  }
}

// Hides the parser's messages, because they quote the body, which may contain a password.
function decodeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformedJson();
  }
}

/** PostgreSQL cannot store NUL or lone surrogates in text or jsonb. */
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
    throw failure('validation_failed', { message: 'Text must not contain NUL or lone surrogates' });
  }
}

function malformedJson() {
  return badJson('it is not valid JSON in UTF-8');
}

function badJson(reason: string) {
  return failure('bad_json', { message: `Could not parse request body as JSON: ${reason}` });
}
