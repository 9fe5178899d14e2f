/**
 * Where the arguments of a function come from: the parameters of the URL, the fields of a form, the keys of a JSON
 * object, or the body as a whole. Which overload takes them is decided elsewhere, by their names.
 */
import type { FunctionParameter, SqlFunction } from '../schema-cache/schema-cache.ts';
import type { JsonBody, RequestBody } from './body.ts';
import type { MediaType } from './media-type.ts';
import type { Action } from './method.ts';

/** The arguments of a call. */
export type Arguments =
  /** Texts, which PostgreSQL casts. Of one name there may be several. */
  | { kind: 'texts'; pairs: readonly (readonly [name: string, value: string])[] }
  /** Members of a JSON object; of a list, of its first object. */
  | { kind: 'json'; body: JsonBody }
  /** No names at all. */
  | { kind: 'raw'; mediaType: MediaType; bytes: Buffer };

const MEDIA_TYPE_OF_RAW = {
  'text/plain': { kind: 'text' },
  'text/xml': { kind: 'xml' },
  'application/octet-stream': { kind: 'octet-stream' },
} as const;

/**
 * The arguments of a call: by GET and HEAD those in the URL, by POST those in the body.
 * @param parameters of the URL, those that are no filters
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

/** Names of the arguments, each once. They alone decide which overload is meant. */
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

/** The value of one parameter; of a variadic one, its elements. */
export type ArgumentValue = string | readonly string[];

/**
 * What each parameter gets, by its name. Of a name that is there more than once, a variadic parameter gets all values,
 * any other the last.
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

/** Types of parameters that take a whole body, by the media type of the body. */
const WHOLE_BODY_TYPES: Readonly<Partial<Record<MediaType['kind'], readonly string[]>>> = {
  json: ['json', 'jsonb'],
  text: ['text'],
  xml: ['xml'],
  'octet-stream': ['bytea'],
};

/** The parameter that takes the whole body of a POST: the only one, without a name, of a type for such bodies. */
export function wholeBodyParameter(
  { parameters }: Pick<SqlFunction, 'parameters'>,
  contentType: MediaType,
): FunctionParameter | undefined {
  const [only, ...others] = parameters;
  if (only === undefined || others.length > 0 || only.name !== '') return undefined;
  return WHOLE_BODY_TYPES[contentType.kind]?.includes(only.type) ? only : undefined;
}
