/** The data API as a part of a server, whether the rest of an instance is there or not. */
import { corsRules, type DataInstance, dataService } from '@greenroom/data';
import { type CredentialOptions, registerApiScope } from '@greenroom/http';
import type { FastifyInstance } from 'fastify';

/** Options of {@link registerDataScope}. */
interface DataScopeOptions {
  prefix: string;
  instance: DataInstance;
  credentials: CredentialOptions;
}

/** Registers the data API under a prefix, behind cross-origin rules and the API key check. */
export function registerDataScope(
  server: FastifyInstance,
  { prefix, instance, credentials }: DataScopeOptions,
): Promise<void> {
  return registerApiScope(server, {
    prefix,
    service: dataService,
    serviceOptions: { instance },
    credentials,
    openPaths: [],
    cors: corsRules(instance),
  });
}
