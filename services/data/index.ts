/** The data API: tables and functions of a database over the wire protocol of PostgREST. */

export { keyringVerifier } from './auth/verify-token.ts';
export { corsRules } from './cors-rules.ts';
export { dataErrors } from './errors.ts';
export { type DataInstance, openDataInstance } from './instance.ts';
export type { Query } from './query/ast.ts';
export type { SchemaCache } from './schema-cache/schema-cache.ts';
export { type DataServiceOptions, dataMigrations, dataService } from './service.ts';
