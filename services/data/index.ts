/** The data API: tables and functions of a database over the wire protocol of PostgREST. */

export { keyringVerifier } from './auth/verify-token.ts';
export { corsRules } from './cors-rules.ts';
export { type DataInstance, openDataInstance } from './instance.ts';
export { dataMigrations, dataService } from './service.ts';
