/** Storage as a part of a server, whether the rest of an instance is there or not. */
import { registerApiScope } from '@greenroom/http';
import type { ApiKeyReader } from '@greenroom/keys';
import { OPEN_STORAGE_PATHS, STORAGE_CORS, type StorageInstance, storageService } from '@greenroom/storage';
import type { FastifyInstance } from 'fastify';

/** Options of {@link registerStorageScope}. */
interface StorageScopeOptions {
  prefix: string;
  instance: StorageInstance;
  /** Storage asks for no API key; one that is sent as the token stands for its role. */
  readApiKey: ApiKeyReader;
}

/** Registers storage under a prefix, behind cross-origin rules. */
export function registerStorageScope(
  server: FastifyInstance,
  { prefix, instance, readApiKey }: StorageScopeOptions,
): Promise<void> {
  return registerApiScope(server, {
    prefix,
    service: storageService,
    serviceOptions: { instance },
    credentials: { readApiKey, requireApiKey: false },
    openPaths: OPEN_STORAGE_PATHS,
    cors: STORAGE_CORS,
  });
}
