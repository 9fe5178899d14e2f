/** Storage as a part of a server, whether the rest of an instance is there or not. */
import { registerApiScope } from '@greenroom/http';
import type { ApiKeyReader } from '@greenroom/keys';
import {
  EXPOSED_STORAGE_HEADERS,
  OPEN_STORAGE_PATHS,
  type StorageInstance,
  storageService,
} from '@greenroom/storage';
import type { FastifyInstance } from 'fastify';

/** Options of {@link registerStorageScope}. */
export interface StorageScopeOptions {
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
    cors: {
      allowedOrigins: () => undefined,
      answersOptions: true,
      exposedHeaders: EXPOSED_STORAGE_HEADERS,
    },
  });
}
