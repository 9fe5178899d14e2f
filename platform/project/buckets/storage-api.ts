/** The storage API, as the setup of buckets calls it. */
import { ProjectError } from '../project-error.ts';

/** A request to the storage API with the rights of the service key. */
export interface StorageRequest {
  method: 'GET' | 'POST' | 'PUT';
  /** Path below `/storage/v1`. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: { json: object } | { file: string; size: number };
}

/** Sends a request. Resolves with the status and the JSON of the response. */
export type StorageApi = (request: StorageRequest) => Promise<{ status: number; json: unknown }>;

/** Sends a request, and returns the JSON of the response. Throws `ProjectError` for an error of the API. */
export async function callStorage(
  api: StorageApi,
  request: StorageRequest,
  purpose: string,
): Promise<unknown> {
  const { status, json } = await api(request);
  if (status < 300) return json;
  const { message } = (json ?? {}) as { message?: unknown };
  throw new ProjectError(`${purpose}: ${typeof message === 'string' ? message : `HTTP ${status}`}`);
}
