/** Translates the findings of the schema to problems that name value, place and allowed values. */
import type { ConfigProblem } from '@greenroom/config';
import { z } from 'zod';

/** Longest value that a message repeats. */
const MAX_SHOWN_CHARACTERS = 80;

type Issue = z.core.$ZodIssue;

/** Returns one problem for each wrong value, and one for each unknown key. */
export function problemsOf(
  issues: readonly Issue[],
  value: unknown,
  { schema, origin }: { schema: z.ZodType; origin: string },
): ConfigProblem[] {
  return issues.flatMap((issue) => {
    const problem = (path: readonly PropertyKey[], allowed: string): ConfigProblem => ({
      origin,
      name: path.join('.') || 'export default',
      value: shown(valueAt(value, path)),
      allowed,
    });
    if (issue.code !== 'unrecognized_keys') return problem(issue.path, allowedBy(issue));
    const known = keysAt(schema, issue.path).join(', ');
    return issue.keys.map((key) => problem([...issue.path, key], `one of the keys ${known}`));
  });
}

function allowedBy(issue: Issue): string {
  if (issue.code === 'invalid_type') return `a value of the type ${issue.expected}`;
  if (issue.code === 'invalid_value') return issue.values.map((each) => JSON.stringify(each)).join(', ');
  return issue.message.replace(/^(?:Too (?:small|big)|Invalid input): expected /, '');
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (found, key) =>
      typeof found === 'object' && found !== null ? (found as Record<PropertyKey, unknown>)[key] : undefined,
    value,
  );
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return text.slice(0, MAX_SHOWN_CHARACTERS);
}

/** Returns the keys of the object of a schema at a path. */
function keysAt(schema: unknown, path: readonly PropertyKey[]): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return keysAt(schema.unwrap(), path);
  }
  const [key, ...rest] = path;
  if (schema instanceof z.ZodObject) {
    return key === undefined ? Object.keys(schema.shape) : keysAt(schema.shape[String(key)], rest);
  }
  if (schema instanceof z.ZodArray) return keysAt(schema.element, rest);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => keysAt(option, path));
  return [];
}
