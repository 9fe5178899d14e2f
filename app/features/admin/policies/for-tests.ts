/** “Try as”, for tests that compare its decisions with those of a database. */
export { createMetaClient, type MetaClient } from '../../../session/meta-client.server.ts';
export type { Verb } from './access/model.ts';
export { callerOf } from './try/claims.ts';
export { type Trial, tryAs } from './try/try-as.server.ts';
