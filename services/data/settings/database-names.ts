/** Settings whose values name objects of the database. */
import { setting } from '@greenroom/config';
import { z } from 'zod';

/** PostgreSQL truncates longer names. */
const MAX_NAME_BYTES = 63;
/** Schemas of the database itself cannot be exposed. */
const SYSTEM_SCHEMAS = new Set(['pg_catalog', 'information_schema']);

/** The name of a role, a channel, or another object. */
export const NAME = z
  .string()
  .refine((text) => !text.includes('\0') && Buffer.byteLength(text) <= MAX_NAME_BYTES);

/** The name of a schema that may be exposed. */
export const SCHEMA = NAME.refine((text) => !SYSTEM_SCHEMAS.has(text));

/** The name of a function. Without a schema, it is resolved by the search path. */
interface FunctionName {
  schema: string | undefined;
  name: string;
}

/** A setting whose value is the name of a function. It has no default. */
export function functionSetting(
  name: string,
  { description, formerNames = [] }: { description: string; formerNames?: readonly string[] },
) {
  const schema = z.string().refine(isFunctionName).transform(parseFunctionName);
  const details = { default: undefined, description, formerNames };
  return setting(name, schema, 'the name of a function, or schema.name', details);
}

function isFunctionName(text: string): boolean {
  const { schema, name } = parseFunctionName(text);
  return name !== '' && schema !== '' && [schema ?? '', name].every((part) => NAME.safeParse(part).success);
}

function parseFunctionName(text: string): FunctionName {
  const dot = text.indexOf('.');
  return dot === -1
    ? { schema: undefined, name: text }
    : { schema: text.slice(0, dot), name: text.slice(dot + 1) };
}
