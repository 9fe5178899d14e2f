/** Runs storage over real sockets, with its own database and store. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConfigSource, loadSettings } from '@greenroom/config';
import { createMetrics, registerApiScope } from '@greenroom/http';
import { createApiKeyReader } from '@greenroom/keys';
import type { Logger } from '@greenroom/log';
import { openDatabase } from '@greenroom/postgres';
import type { ContentCopies } from '@greenroom/service';
import {
  type ListeningService,
  listenForService,
  prepareService,
  ServiceServer,
  TEST_JWT_SECRET,
  type TestDatabase,
} from '@greenroom/testing';
import { bindStore } from '../binding/bind.ts';
import { openStorage, type StorageInstance } from '../instance.ts';
import { OPEN_STORAGE_PATHS, STORAGE_CORS, storagePlugin } from '../plugin.ts';
import { storageSettings } from '../settings.ts';
import { openDiskStore } from '../store/disk.ts';
import type { ObjectStore } from '../store/object-store.ts';

/** Key pair of the S3 protocol. */
export const TEST_S3_KEYS = {
  accessKeyId: 'test-access-key-id',
  secretAccessKey: 'test-secret-access-key',
};
const PREFIX = '/storage/v1';

/** Options of {@link StorageServer.open}. */
interface StorageServerOptions {
  settings?: ConfigSource;
  /** SQL to run as superuser before the start. */
  sql?: string;
  log?: Logger;
  /** An existing database, which its creator drops. */
  database?: TestDatabase;
  /** A store that the test closes; by default, a disk store in a temporary folder. */
  store?: ObjectStore;
  /** Default: content is not copied. */
  contentCopies?: ContentCopies;
}

/** A response of the service. */
export interface StorageResponse {
  status: number;
  headers: Headers;
  text: string;
  /** Parsed body; undefined if it is not JSON. */
  json: unknown;
}

/** Options of {@link StorageServer.request}. */
export interface RequestOptions {
  /** `null` sends no token; the default is the token of service_role. */
  token?: string | null | undefined;
  headers?: Record<string, string>;
  /** Plain objects and arrays are sent as JSON, other values unchanged. */
  body?: unknown;
}

/** A running storage service. */
export class StorageServer extends ServiceServer {
  readonly instance: StorageInstance;
  readonly store: ObjectStore;

  private constructor(parts: ListeningService, instance: StorageInstance) {
    super(PREFIX, parts);
    this.instance = instance;
    this.store = instance.context.store;
  }

  /** Starts a service. */
  static async open({ settings = {}, ...options }: StorageServerOptions = {}): Promise<StorageServer> {
    const parts = await prepareService(options);
    const { database, keys, apiKeys, log, closing } = parts;
    const pool = openDatabase({ url: database.storageUrl, max: 5, applicationName: 'test storage' });
    closing.defer(() => pool.close());
    const store = options.store ?? (await openTestStore(closing));
    const config = loadSettings(storageSettings, settings);
    await bindStore({ database: pool, store, isAdopting: config.orphans.isAdopting, log });
    const instance = openStorage({
      config,
      keys,
      jwtSecret: TEST_JWT_SECRET,
      s3Keys: { ...TEST_S3_KEYS, anonKey: apiKeys.anon },
      database: pool,
      store,
      contentCopies: options.contentCopies,
      registry: createMetrics().registry,
      log,
    });
    closing.defer(() => instance.close());
    const listening = await listenForService(parts, async (fastify) => {
      await registerApiScope(fastify, {
        prefix: PREFIX,
        service: storagePlugin,
        serviceOptions: { instance },
        credentials: { readApiKey: createApiKeyReader(apiKeys, keys), requireApiKey: true },
        openPaths: OPEN_STORAGE_PATHS,
        cors: STORAGE_CORS,
      });
    });
    return new StorageServer(listening, instance);
  }

  /** Sends a request for a path below the prefix: `GET /bucket`. */
  async request(
    target: string,
    { token, headers = {}, body }: RequestOptions = {},
  ): Promise<StorageResponse> {
    const [method = 'GET', path = '/'] = target.split(/ (.*)/s);
    const bearer = token === undefined ? this.apiKeys.serviceRole : token;
    const isJson = Array.isArray(body) || (typeof body === 'object' && body?.constructor === Object);
    const init = {
      method,
      headers: {
        ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
        ...(isJson && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body, duplex: 'half' }),
    };
    const response = await fetch(this.url + path, init as RequestInit);
    const text = await response.text();
    const { status, headers: answered } = response;
    return { status, headers: answered, text, json: parse(text) };
  }

  /** Returns the versions of all content in the store, after replaced content has been removed. */
  async contents(): Promise<string[]> {
    await this.instance.context.removals.settled();
    const found: string[] = [];
    for await (const batch of this.store.list(new Date(Date.now() + 60_000))) {
      for (const each of batch) found.push(each.kind === 'content' ? each.name.version : each.upload.version);
    }
    return found.toSorted();
  }
}

async function openTestStore(closing: AsyncDisposableStack): Promise<ObjectStore> {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-store-'));
  closing.defer(() => rm(folder, { recursive: true }));
  const store = await openDiskStore(folder);
  closing.defer(() => store.close());
  return store;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
