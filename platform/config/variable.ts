/**
 * How settings are declared: each environment variable with its schema, its default and, in words, what is
 * allowed. All values come in as text.
 */
import { z } from 'zod';

/** One environment variable. `schema` turns its text into the value. */
export interface Variable<T = unknown> {
  schema: z.ZodType<T, string>;
  /** For people: what may be written. */
  allowed: string;
  /** For people: what it is for. */
  description: string;
  /** As text, read by the same schema; undefined gives undefined. */
  default: string | undefined;
  /** Never shown, not even in an error about it. */
  secret?: boolean;
  /** An empty text is a value, too, and does not mean that nothing is set. */
  takesEmpty?: boolean;
}

/** The values of a record of variables. A variable without a default may be undefined. */
export type Values<V extends Record<string, Variable>> = {
  [K in keyof V]: V[K] extends Variable<infer T>
    ? V[K]['default'] extends string
      ? T
      : T | undefined
    : never;
};

type Details<D extends string | undefined> = {
  description: string;
  default: D;
  secret?: boolean;
  takesEmpty?: boolean;
};

/** A variable of any schema. */
export function variable<T, const D extends string | undefined>(
  schema: z.ZodType<T, string>,
  allowed: string,
  details: Details<D>,
): Variable<T> & { default: D } {
  return { schema, allowed, ...details };
}

const TRUE = /^(?:true|t|1)$/i;
const FALSE = /^(?:false|f|0)$/i;

/** `true` or `false`, and whatever else both Go's `strconv.ParseBool` and PostgREST take for them. */
export function booleanVariable<const D extends string | undefined>(details: Details<D>) {
  return variable(
    z
      .string()
      .refine((text) => TRUE.test(text) || FALSE.test(text))
      .transform((text) => TRUE.test(text)),
    'true, false',
    details,
  );
}

/** A whole number from `min` to `max`. */
export function integerVariable<const D extends string | undefined>(
  min: number,
  max: number,
  details: Details<D>,
) {
  const schema = z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max));
  return variable(schema, `a whole number from ${min} to ${max}`, details);
}

/** Any text that is not empty. */
export function textVariable<const D extends string | undefined>(allowed: string, details: Details<D>) {
  return variable(z.string().min(1), allowed, details);
}

/** Texts separated by commas, each of them as `item` allows; blanks around them are dropped, so are empty ones. */
export function listVariable<const D extends string | undefined>(
  allowed: string,
  details: Details<D>,
  item: z.ZodType<string, string> = z.string(),
) {
  const split = (text: string) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  return variable(z.string().transform(split).pipe(z.array(item)), allowed, details);
}

/** Path of a folder on the site. The value has a slash at both ends, e.g. `/` or `/app/`. */
export function folderVariable<const D extends string | undefined>(details: Details<D>) {
  const schema = z
    .string()
    .regex(/^\/?(?:[\w.~-]+\/)*[\w.~-]*$/)
    .refine((text) => !text.split('/').some((name) => name === '.' || name === '..'))
    .transform((text) => `/${text}/`.replace(/\/+/g, '/'));
  return variable(schema, 'a path such as / or /app/', details);
}

/** An http or https URL, without a trailing slash. */
export function urlVariable<const D extends string | undefined>(details: Details<D>) {
  const schema = z
    .string()
    .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))
    .transform((text) => text.replace(/\/+$/, ''));
  return variable(schema, 'an http:// or https:// URL', details);
}
