/** Sets up the buckets of the project before the server listens. */
import { createReadStream } from 'node:fs';
import {
  areObjectsDue,
  type ProjectToRun,
  recordObjects,
  type StorageApi,
  setUpBuckets,
} from '@greenroom/project';
import type { FastifyInstance } from 'fastify';
import type { Backend } from './backend.ts';

/** Options of {@link setUpProjectBuckets}. */
interface ProjectBuckets {
  /** All routes must be registered. */
  server: FastifyInstance;
  backend: Pick<Backend, 'admin' | 'keys'>;
  project: ProjectToRun;
  /** Whether the instance runs the storage service. */
  hasStorage: boolean;
  /** Receives lines for the user. */
  onProgress: (line: string) => void;
}

/**
 * Creates or changes the declared buckets through the storage API, and uploads their objects if the database is new.
 * Throws `ProjectError`; the next start then tries again.
 */
export async function setUpProjectBuckets(options: ProjectBuckets): Promise<void> {
  const { server, backend, project, hasStorage, onProgress } = options;
  const { buckets = [] } = project;
  if (!hasStorage) {
    if (buckets.length > 0) onProgress('storage is disabled, so the buckets of the project are not created');
    return;
  }
  const uploadsObjects = await areObjectsDue(backend.admin);
  const api = storageApiOf(server, backend.keys.apiKeys.serviceRole);
  await setUpBuckets({ buckets, uploadsObjects, api, onProgress });
  if (uploadsObjects) await recordObjects(backend.admin);
}

/** Calls the routes of the server within the process. */
function storageApiOf(server: FastifyInstance, serviceKey: string): StorageApi {
  return async ({ method, path, headers = {}, body }) => {
    const credentials = { apikey: serviceKey, authorization: `Bearer ${serviceKey}` };
    const response = await server.inject({
      method,
      url: `/storage/v1${path}`,
      headers: { ...headers, ...credentials, ...(isFile(body) && { 'content-length': body.size }) },
      ...(body && { payload: isFile(body) ? createReadStream(body.file) : body.json }),
    });
    return { status: response.statusCode, json: jsonOf(response.payload) };
  };
}

type Body = Parameters<StorageApi>[0]['body'];

function isFile(body: Body): body is Extract<Body, { file: string }> {
  return body !== undefined && 'file' in body;
}

/** Returns undefined for a response without JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
