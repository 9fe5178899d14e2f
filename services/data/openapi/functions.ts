/** The paths of functions in the OpenAPI document. */
import { quoteIdentifier } from '@greenroom/postgres';
import type { FunctionParameter, SchemaCache, SqlFunction } from '../schema-cache/schema-cache.ts';
import { signatureOf } from './accessible.ts';
import { itemType, schemaOfType, swaggerFormat, swaggerType } from './schema-type.ts';
import {
  type Operation,
  type Parameter,
  type PathItem,
  pathSegment,
  ROW_MEDIA_TYPES,
  referenceTo,
  type Schema,
  splitComment,
} from './swagger.ts';

/** The callable overloads of one name. */
type Overloads = readonly [SqlFunction, ...SqlFunction[]];

/** Media types of a body for an unnamed parameter, by its type. Other types use JSON. */
const BODY_MEDIA_TYPES = new Map([
  ['bytea', 'application/octet-stream'],
  ['text', 'text/plain'],
  ['xml', 'text/xml'],
]);

/**
 * Returns the functions of a schema that a role may call, grouped by name.
 * @param signatures keys from {@link signatureOf}; undefined includes all functions
 */
export function describedFunctions(
  cache: SchemaCache,
  schema: string,
  signatures: ReadonlySet<string> | undefined,
): Overloads[] {
  const isCallable = ({ name, parameters }: SqlFunction) =>
    signatures?.has(signatureOf(name, parameters.map(typeOf))) ?? true;
  return [...cache.functions.values()]
    .map((overloads) => overloads.filter((each) => each.schema === schema && isCallable(each)))
    .filter((overloads): overloads is [SqlFunction, ...SqlFunction[]] => overloads.length > 0);
}

function typeOf({ type }: FunctionParameter): string {
  return type;
}

/** Returns the path of a function. All overloads share it, with the union of their parameters. */
export function functionPath(overloads: Overloads): [path: string, PathItem] {
  const named = overloads.filter(({ parameters }) => parameters.every(({ name }) => name !== ''));
  const readers = named.filter(({ volatility }) => volatility !== 'volatile');
  const [{ name }] = overloads;
  return [
    `/rpc/${pathSegment(name)}`,
    {
      ...(readers.length > 0 && { get: getOperation(overloads, readers) }),
      post: postOperation(overloads, named),
    },
  ];
}

function operationOf(overloads: Overloads): Operation {
  const [{ name }] = overloads;
  return {
    tags: [`(rpc) ${name}`],
    ...splitComment(commentOf(overloads)),
    produces: ROW_MEDIA_TYPES,
    responses: { 200: { description: 'OK' } },
  };
}

function commentOf(overloads: Overloads): string | null {
  return overloads.find(({ description }) => description !== null)?.description ?? null;
}

function getOperation(overloads: Overloads, readers: readonly SqlFunction[]): Operation {
  return { ...operationOf(overloads), parameters: mergedParameters(readers).map(queryParameter) };
}

function postOperation(overloads: Overloads, named: readonly SqlFunction[]): Operation {
  const [first] = overloads;
  const [unnamed] = first.parameters;
  const isWholeBody = named.length === 0 && unnamed !== undefined;
  const schema = isWholeBody ? schemaOfType(unnamed.type) : argumentsSchema(overloads, named);
  return {
    ...operationOf(overloads),
    ...(isWholeBody && { consumes: [BODY_MEDIA_TYPES.get(unnamed.type) ?? 'application/json'] }),
    parameters: [
      { name: 'args', required: true, in: 'body', schema },
      referenceTo('parameters', 'preferParams'),
    ],
  };
}

function argumentsSchema(overloads: Overloads, named: readonly SqlFunction[]): Schema {
  const parameters = mergedParameters(named);
  const required = parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const comment = commentOf(overloads);
  return {
    ...(comment !== null && { description: comment }),
    ...(required.length > 0 && { required }),
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, type }) => [name, schemaOfType(type)])),
  };
}

/** Merges the parameters of all overloads. A parameter is required only if every overload requires it. */
function mergedParameters(overloads: readonly SqlFunction[]): FunctionParameter[] {
  const merged = new Map<string, FunctionParameter>();
  for (const { schema, parameters } of overloads) {
    for (const parameter of parameters) {
      const type = nameWithin(schema, parameter.type);
      if (!merged.has(parameter.name)) merged.set(parameter.name, { ...parameter, type });
    }
  }
  const isRequired = (name: string) =>
    overloads.every(({ parameters }) => parameters.some((each) => each.name === name && each.isRequired));
  return [...merged.values()].map((parameter) => ({ ...parameter, isRequired: isRequired(parameter.name) }));
}

/** Removes the schema from the name of a type if it is this schema. */
function nameWithin(schema: string, type: string): string {
  const prefix = [schema, quoteIdentifier(schema)]
    .map((name) => `${name}.`)
    .find((each) => type.startsWith(each));
  return prefix === undefined ? type : type.slice(prefix.length);
}

/**
 * Describes a parameter in a query string. An array is a single text `{…}`; a variadic parameter is repeated. Swagger
 * requires a type, so a type without an equivalent becomes a string.
 */
function queryParameter({ name, type, isRequired, isVariadic }: FunctionParameter): Parameter {
  const common = { name, required: isRequired, in: 'query' } as const;
  if (isVariadic) {
    const item = itemType(type);
    return {
      ...common,
      type: 'array',
      items: { type: scalarTypeOf(swaggerType(item)), format: swaggerFormat(item) },
      collectionFormat: 'multi',
    };
  }
  return { ...common, type: scalarTypeOf(swaggerType(type)), format: swaggerFormat(type) };
}

function scalarTypeOf(type: ReturnType<typeof swaggerType>) {
  return type === undefined || type === 'array' ? 'string' : type;
}
