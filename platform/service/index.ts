/** The contract between a server and the services that it runs. */

export { cached } from './cached.ts';
export type {
  ContentCopies,
  NamedContent,
  NewDatabaseContext,
  ServiceContext,
  ServiceDatabase,
  ServiceKeys,
  ServiceMessages,
  ServiceProject,
} from './context.ts';
export type { OpenService, PreparedSettings, Service } from './service.ts';
