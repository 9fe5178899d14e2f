/**
 * Extracts the arguments of a function call: from the parameters of the URL, the fields of a form, the keys of a JSON
 * object, or the body as a whole. `plan/find-function.ts` selects the overload by the names of the arguments.
 */
import type { FunctionParameter, SqlFunction } from '../schema-cache/schema-cache.ts';
import type { JsonBody, RequestBody } from './body.ts';
import type { MediaType } from './media-type.ts';
import type { Action } from './method.ts';

export type Arguments =
  /** Texts, which PostgreSQL casts. A name may occur more than once. */
  | { kind: 'texts'; pairs: readonly (readonly [name: string, value: string])[] }
  /** Members of a JSON object, or of the first object of a list. */
  | { kind: 'json'; body: JsonBody }
  /** The whole body as the only argument, which has no name. */
  | { kind: 'raw'; mediaType: MediaType; bytes: Buffer };

const MEDIA_TYPE_OF_RAW = {
  'text/plain': { kind: 'text' },
  'text/xml': { kind: 'xml' },
  'application/octet-stream': { kind: 'octet-stream' },
} as const;

/**
 * Returns the arguments of a call: from the URL for GET and HEAD, from the body for POST.
 * @param parameters the parameters of the URL that are not filters
 */
export function argumentsOf(
  { method }: Extract<Action, { kind: 'call' }>,
  parameters: readonly (readonly [name: string, value: string])[],
  body: RequestBody | undefined,
): Arguments {
  if (method !== 'POST' || body === undefined) return { kind: 'texts', pairs: parameters };
  switch (body.kind) {
    case 'json':
      return { kind: 'json', body };
    case 'form':
      return { kind: 'texts', pairs: body.fields };
    case 'raw':
      return { kind: 'raw', mediaType: MEDIA_TYPE_OF_RAW[body.mediaType], bytes: body.bytes };
  }
}

/** Returns the distinct names of the arguments. Only names select an overload, not values. */
export function argumentNames(args: Arguments): readonly string[] {
  switch (args.kind) {
    case 'texts':
      return [...new Set(args.pairs.map(([name]) => name))];
    case 'json':
      return args.body.columns;
    case 'raw':
      return [];
  }
}

/** The value of a parameter, or the elements of a variadic parameter. */
export type ArgumentValue = string | readonly string[];

/**
 * Returns the value of each parameter by name. If a name occurs more than once, a variadic parameter receives all
 * values and any other parameter the last one.
 */
export function argumentValues(
  { parameters }: Pick<SqlFunction, 'parameters'>,
  pairs: readonly (readonly [name: string, value: string])[],
): Map<string, ArgumentValue> {
  const variadic = parameters.find(({ isVariadic }) => isVariadic)?.name;
  const values = new Map<string, ArgumentValue>(pairs);
  if (variadic !== undefined && values.has(variadic)) {
    values.set(
      variadic,
      pairs.flatMap(([name, value]) => (name === variadic ? [value] : [])),
    );
  }
  return values;
}

/** Types of a parameter that can receive a whole body, by the media type of the body. */
const WHOLE_BODY_TYPES: Readonly<Partial<Record<MediaType['kind'], readonly string[]>>> = {
  json: ['json', 'jsonb'],
  text: ['text'],
  xml: ['xml'],
  'octet-stream': ['bytea'],
};

/** Returns the parameter for the whole body of a POST: a single unnamed parameter of a type that matches the body. */
export function wholeBodyParameter(
  { parameters }: Pick<SqlFunction, 'parameters'>,
  contentType: MediaType,
): FunctionParameter | undefined {
  const [only, ...others] = parameters;
  if (only === undefined || others.length > 0 || only.name !== '') return undefined;
  return WHOLE_BODY_TYPES[contentType.kind]?.includes(only.type) ? only : undefined;
}
