/** The parts of a Swagger 2.0 document that are written here. https://swagger.io/specification/v2/ */

/** The types of Swagger that types of PostgreSQL become. None: any JSON. */
export type SwaggerType = 'array' | 'boolean' | 'integer' | 'number' | 'string';

/** The shape of a value. */
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

/** Leads to another part of the document. */
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

/** What a method does at a path. */
export interface Operation {
  tags: readonly string[];
  summary?: string;
  description?: string;
  consumes?: readonly string[];
  produces?: readonly string[];
  parameters?: readonly (Parameter | Reference)[];
  responses: Readonly<Record<number, { description: string; schema?: Schema }>>;
}

/** The methods of a path. */
export interface PathItem {
  get?: Operation;
  post?: Operation;
  patch?: Operation;
  delete?: Operation;
}

/** A whole document. */
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

/** Leads to a definition or a parameter by its name, as a fragment with a JSON pointer in it (RFC 6901 §6). */
export function referenceTo(part: 'definitions' | 'parameters', name: string): Reference {
  const token = name.replaceAll('~', '~0').replaceAll('/', '~1');
  return { $ref: `#/${part}/${encodeURIComponent(token)}` };
}

/**
 * A name in a path. Only what would end the path or be a template is encoded: some clients take the names of relations
 * from the paths.
 */
export function pathSegment(name: string): string {
  return name.replace(/[%/?#{}]/g, encodeURIComponent);
}

/** The first line of a comment, and what follows it. */
export function splitComment(comment: string | null): { summary?: string; description?: string } {
  if (comment === null) return {};
  const [summary = ''] = comment.split(/\r?\n/, 1);
  const description = comment.slice(summary.length).replace(/^[\r\n]+/, '');
  return { ...(summary !== '' && { summary }), ...(description !== '' && { description }) };
}

/** The media types of rows. */
export const ROW_MEDIA_TYPES: readonly string[] = [
  'application/json',
  'application/vnd.pgrst.object+json;nulls=stripped',
  'application/vnd.pgrst.object+json',
];
