/**
 * The OpenAPI document at the root of the data API: describes a schema in Swagger 2.0, like PostgREST, for code
 * generators. It is pure: {@link ./accessible.ts} determines the parts that the role may see.
 */
import type { SchemaCache } from '../schema-cache/schema-cache.ts';
import type { Accessible } from './accessible.ts';
import { describedFunctions, functionPath } from './functions.ts';
import { SHARED_PARAMETERS } from './parameters.ts';
import { describedRelations, relationDefinition, relationParameters, relationPath } from './relations.ts';
import { type ApiDescription, type PathItem, ROW_MEDIA_TYPES, splitComment } from './swagger.ts';

/** Options of {@link describeApi}. */
export interface DescribeOptions {
  schema: string;
  accessible: Accessible;
  /** URL at which clients reach the data API, e.g. `https://example.org/rest/v1`. */
  url: string;
  /** Version of the software. */
  version: string;
  /** Whether the document declares authentication by tokens. */
  isSecurityActive: boolean;
}

const MEDIA_TYPES = [...ROW_MEDIA_TYPES, 'text/csv'];
const DEFAULT_TITLE = 'Greenroom data API';
const DEFAULT_DESCRIPTION = 'Generated from the tables, views and functions of a database';

/** Describes one schema. Any name is safe as a key, for example `__proto__`, because keys are defined, not assigned. */
export function describeApi(cache: SchemaCache, options: DescribeOptions): ApiDescription {
  const { schema, accessible, isSecurityActive } = options;
  const relations = describedRelations(cache, schema, accessible.relations);
  const functions = describedFunctions(cache, schema, accessible.functions);
  const { summary: title = DEFAULT_TITLE, description = DEFAULT_DESCRIPTION } = splitComment(
    accessible.description,
  );
  return {
    swagger: '2.0',
    info: { title, description, version: options.version },
    ...locationOf(options.url),
    consumes: MEDIA_TYPES,
    produces: MEDIA_TYPES,
    paths: Object.fromEntries([
      ['/', ROOT_PATH],
      ...relations.map(relationPath),
      ...functions.map(functionPath),
    ]),
    definitions: Object.fromEntries(
      relations.map(({ relation }) => [relation.name, relationDefinition(relation, cache)]),
    ),
    parameters: Object.fromEntries([
      ...SHARED_PARAMETERS,
      ...relations.flatMap(({ relation }) => relationParameters(relation)),
    ]),
    ...(isSecurityActive && SECURITY),
    externalDocs: {
      description: 'PostgREST Documentation',
      url: 'https://postgrest.org/en/stable/references/api.html',
    },
  };
}

/** Returns the document of {@link describeApi} as JSON text. The same cache and options produce the same text. */
export function apiDocument(cache: SchemaCache, options: DescribeOptions): string {
  return JSON.stringify(describeApi(cache, options));
}

const ROOT_PATH: PathItem = {
  get: {
    tags: ['Introspection'],
    summary: 'OpenAPI description (this document)',
    produces: ['application/openapi+json', 'application/json'],
    responses: { 200: { description: 'OK' } },
  },
};

const SECURITY = {
  securityDefinitions: {
    JWT: {
      type: 'apiKey',
      name: 'Authorization',
      in: 'header',
      description: 'Add the token prepending "Bearer " (without quotes) to it',
    },
  },
  security: [{ JWT: [] }],
} as const;

/** The host always includes the port, as in PostgREST's documents. */
function locationOf(url: string): Pick<ApiDescription, 'host' | 'basePath' | 'schemes'> {
  const { protocol, hostname, port, pathname } = new URL(url);
  const scheme = protocol === 'http:' ? 'http' : 'https';
  return {
    host: `${hostname}:${port || (scheme === 'http' ? '80' : '443')}`,
    basePath: pathname,
    schemes: [scheme],
  };
}
