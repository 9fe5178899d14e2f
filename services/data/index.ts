/** The data API: tables and functions of a database over the wire protocol of PostgREST. */
export type { Query } from './query/ast.ts';
export type { SchemaCache } from './schema-cache/schema-cache.ts';
