/** The parts of Swagger 2.0 that the document uses. https://swagger.io/specification/v2/ */

/** The types of Swagger that types of PostgreSQL are mapped to. A schema without a type is any JSON value. */
export type SwaggerType = 'array' | 'boolean' | 'integer' | 'number' | 'string';

/** The schema of a value. */
export interface Schema {
  type?: SwaggerType | 'object';
  format?: string;
  description?: string;
  default?: string | number | boolean;
  enum?: readonly string[];
  maxLength?: number;
  items?: Schema | Reference;
  required?: readonly string[];
  properties?: Readonly<Record<string, Schema>>;
}

/** A reference to another part of the document. */
export interface Reference {
  $ref: string;
}

/** A parameter in the query string, in a header, or the body. */
export type Parameter = ValueParameter | BodyParameter;

interface ValueParameter {
  name: string;
  description?: string;
  required: boolean;
  in: 'query' | 'header';
  type: SwaggerType;
  format?: string;
  default?: string;
  enum?: readonly string[];
  items?: { type: SwaggerType; format?: string };
  collectionFormat?: 'multi';
}

interface BodyParameter {
  name: string;
  description?: string;
  required: boolean;
  in: 'body';
  schema: Schema | Reference;
}

/** The operation of a method on a path. */
export interface Operation {
  tags: readonly string[];
  summary?: string;
  description?: string;
  consumes?: readonly string[];
  produces?: readonly string[];
  parameters?: readonly (Parameter | Reference)[];
  responses: Readonly<Record<number, { description: string; schema?: Schema }>>;
}

/** The operations of a path by method. */
export interface PathItem {
  get?: Operation;
  post?: Operation;
  patch?: Operation;
  delete?: Operation;
}

/** A complete Swagger document. */
export interface ApiDescription {
  swagger: '2.0';
  info: { title: string; description: string; version: string };
  host: string;
  basePath: string;
  schemes: readonly ('http' | 'https')[];
  consumes: readonly string[];
  produces: readonly string[];
  paths: Readonly<Record<string, PathItem>>;
  definitions: Readonly<Record<string, Schema>>;
  parameters: Readonly<Record<string, Parameter>>;
  securityDefinitions?: Readonly<Record<string, object>>;
  security?: readonly Readonly<Record<string, readonly string[]>>[];
  externalDocs: { description: string; url: string };
}

/** Creates a reference to a definition or a parameter: a URI fragment with a JSON pointer (RFC 6901 §6). */
export function referenceTo(part: 'definitions' | 'parameters', name: string): Reference {
  const token = name.replaceAll('~', '~0').replaceAll('/', '~1');
  return { $ref: `#/${part}/${encodeURIComponent(token)}` };
}

/**
 * Encodes a name for a path. Encodes only characters that would end the segment or form a template, because some clients
 * read the names of relations from the paths.
 */
export function pathSegment(name: string): string {
  return name.replace(/[%/?#{}]/g, encodeURIComponent);
}

/** Splits a comment into its first line (summary) and the rest (description). */
export function splitComment(comment: string | null): { summary?: string; description?: string } {
  if (comment === null) return {};
  const [summary = ''] = comment.split(/\r?\n/, 1);
  const description = comment.slice(summary.length).replace(/^[\r\n]+/, '');
  return { ...(summary !== '' && { summary }), ...(description !== '' && { description }) };
}

/** The JSON media types of rows. */
export const ROW_MEDIA_TYPES: readonly string[] = [
  'application/json',
  'application/vnd.pgrst.object+json;nulls=stripped',
  'application/vnd.pgrst.object+json',
];
