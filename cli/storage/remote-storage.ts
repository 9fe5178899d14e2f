/** The storage service of the running instance, called through the official client with the secret key. */
import type { Agent } from 'node:https';
import type { ReadableStream } from 'node:stream/web';
import type { DeclaredBucket } from '@greenroom/project';
import { createPinnedAgent } from '@greenroom/tls';
import { StorageClient, type StorageError } from '@supabase/storage-js';
import { type InstanceView, viewInstance } from '../instance.ts';
import { createInstanceFetch } from '../instance-fetch.ts';
import { type ProjectOptions, readConfig } from '../settings.ts';

/** Maximum of the list API. */
const PAGE_SIZE = 1000;

/** Address and credentials of the service. */
export interface StorageConnection {
  apiUrl: string;
  /** `https://…/storage/v1`. */
  url: string;
  /** With the secret key. */
  headers: Readonly<Record<string, string>>;
  /** Trusts the certificate of the instance; undefined without HTTPS. */
  agent: Agent | undefined;
  /** Aborts all requests. */
  signal: AbortSignal;
}

/** Headers of an upload. */
export interface ObjectHeaders {
  contentType: string;
  /** Value of the header `Cache-Control`. */
  cacheControl: string;
  /** Whether an existing object is replaced. */
  isUpsert: boolean;
}

/** The calls that the commands need. All of them throw {@link StorageCallError}. */
export interface RemoteStorage {
  connection: StorageConnection;
  listBuckets(): Promise<string[]>;
  createBucket(name: string, properties: Partial<DeclaredBucket>): Promise<void>;
  /** Returns the message of the service. */
  deleteBucket(name: string): Promise<string>;
  /** Lists the keys that begin with a prefix, sorted by their bytes. */
  listKeys(bucket: string, prefix: string): AsyncGenerator<string>;
  /** Lists the keys that begin with a prefix up to the next slash: keys, and folders, which end with a slash. */
  listFolder(bucket: string, prefix: string): AsyncGenerator<string>;
  /** Returns the message of the service. */
  move(bucket: string, from: string, to: string): Promise<string>;
  /** Deletes up to 1,000 objects. Returns the keys of those that existed. */
  remove(bucket: string, keys: readonly string[]): Promise<string[]>;
  download(bucket: string, key: string): Promise<ReadableStream<Uint8Array>>;
  upload(
    bucket: string,
    key: string,
    content: Buffer | ReadableStream<Uint8Array>,
    headers: ObjectHeaders,
  ): Promise<void>;
}

/** The service has rejected a request. */
export class StorageCallError extends Error {
  override readonly name = 'StorageCallError';
  /** Code in the body of the response, e.g. `404`; the status itself is often 400. */
  readonly statusCode: string | undefined;

  constructor(purpose: string, { message, statusCode }: Pick<StorageError, 'message' | 'statusCode'>) {
    super(`${purpose}: ${message}`);
    this.statusCode = statusCode;
  }
}

/** Whether an error says that an object or a bucket does not exist. */
export function isNotFound(error: unknown): boolean {
  return error instanceof StorageCallError && error.statusCode === '404';
}

/** Opens the service of the instance of a project. Throws if no instance was started yet. */
export async function openRemoteStorage(
  project: ProjectOptions,
  signal: AbortSignal = new AbortController().signal,
): Promise<RemoteStorage> {
  const instance = await viewInstance(await readConfig(project));
  return remoteStorageOf(instance, signal);
}

function remoteStorageOf(instance: InstanceView, signal: AbortSignal): RemoteStorage {
  const { apiUrl, certificate, apiKeys } = instance;
  const connection: StorageConnection = {
    apiUrl,
    url: `${apiUrl}/storage/v1`,
    headers: { apikey: apiKeys.secret, authorization: `Bearer ${apiKeys.secret}` },
    agent: certificate === undefined ? undefined : createPinnedAgent(certificate),
    signal,
  };
  const send = createInstanceFetch(instance);
  const client = new StorageClient(connection.url, { ...connection.headers }, (input, init) =>
    send(input, { ...init, signal }),
  );
  return { connection, ...bucketCalls(client), ...listCalls(client), ...objectCalls(client) };
}

type BucketCalls = Pick<RemoteStorage, 'listBuckets' | 'createBucket' | 'deleteBucket'>;

function bucketCalls(client: StorageClient): BucketCalls {
  return {
    async listBuckets() {
      const buckets = await dataOf('listing the buckets failed', client.listBuckets());
      return buckets.map(({ name }) => name).sort();
    },
    async createBucket(name, { isPublic = false, fileSizeLimit, allowedMimeTypes }) {
      const properties = {
        public: isPublic,
        fileSizeLimit: fileSizeLimit || null,
        allowedMimeTypes: allowedMimeTypes?.length ? [...allowedMimeTypes] : null,
      };
      await dataOf(`creating the bucket ${name} failed`, client.createBucket(name, properties));
    },
    async deleteBucket(name) {
      const call = client.deleteBucket(encodeURIComponent(name));
      return (await dataOf(`deleting the bucket ${name} failed`, call)).message;
    },
  };
}

type ListCalls = Pick<RemoteStorage, 'listKeys' | 'listFolder'>;

function listCalls(client: StorageClient): ListCalls {
  async function* list(bucket: string, prefix: string, hasFolders: boolean): AsyncGenerator<string> {
    const purpose = `listing /${bucket}/${prefix} failed`;
    const ofBucket = client.from(encodeURIComponent(bucket));
    let cursor: string | undefined;
    do {
      const options = { prefix, limit: PAGE_SIZE, with_delimiter: hasFolders, ...(cursor && { cursor }) };
      const page = await dataOf(purpose, ofBucket.listV2(options));
      const names = [...page.folders, ...page.objects].map(({ name }) => name);
      yield* hasFolders ? names.sort() : names;
      cursor = page.hasNext ? page.nextCursor : undefined;
    } while (cursor !== undefined);
  }
  return {
    listKeys: (bucket, prefix) => list(bucket, prefix, false),
    listFolder: (bucket, prefix) => list(bucket, prefix, true),
  };
}

type ObjectCalls = Pick<RemoteStorage, 'move' | 'remove' | 'download' | 'upload'>;

function objectCalls(client: StorageClient): ObjectCalls {
  /** The client puts bucket and key into the URL as they are. */
  const ofUrl = (bucket: string) => client.from(encodeURIComponent(bucket));
  return {
    async move(bucket, from, to) {
      const purpose = `moving /${bucket}/${from} failed`;
      return (await dataOf(purpose, client.from(bucket).move(from, to))).message;
    },
    async remove(bucket, keys) {
      const removed = await dataOf(`deleting objects of ${bucket} failed`, ofUrl(bucket).remove([...keys]));
      return removed.map(({ name }) => name);
    },
    async download(bucket, key) {
      const call = ofUrl(bucket).download(encodedKey(key)).asStream();
      return (await dataOf(`downloading /${bucket}/${key} failed`, call)) as ReadableStream<Uint8Array>;
    },
    async upload(bucket, key, content, { contentType, cacheControl, isUpsert }) {
      const call = ofUrl(bucket).upload(encodedKey(key), content as Buffer, {
        contentType,
        upsert: isUpsert,
        headers: { 'cache-control': cacheControl },
      });
      await dataOf(`uploading /${bucket}/${key} failed`, call);
    },
  };
}

function encodedKey(key: string): string {
  return key.split('/').map(encodeURIComponent).join('/');
}

type Outcome<T> = { data: T; error: null } | { data: null; error: StorageError };

/** A request without a response has the error of the fetch. */
async function dataOf<T>(purpose: string, call: PromiseLike<Outcome<T>>): Promise<T> {
  const { data, error } = await call;
  if (error === null) return data;
  if (error.status === undefined) throw new Error(error.message, { cause: error });
  throw new StorageCallError(purpose, error);
}
