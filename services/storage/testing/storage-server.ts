/** Storage over real sockets, on a database and a store of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConfigSource, loadSettings } from '@greenroom/config';
import { createLogger, createMetrics, type Logger, registerApiScope } from '@greenroom/http';
import { type ApiKeys, createApiKeyReader, createApiKeys, type Keys } from '@greenroom/keys';
import { openDatabase } from '@greenroom/postgres';
import {
  createTestDatabase,
  createTestKeys,
  listenForTest,
  TEST_JWT_SECRET,
  type TestDatabase,
  type TestServer,
} from '@greenroom/testing';
import { bindStore } from '../binding/bind.ts';
import { openStorage, type StorageInstance } from '../instance.ts';
import { OPEN_STORAGE_PATHS, STORAGE_CORS, storagePlugin } from '../plugin.ts';
import { storageSettings } from '../settings.ts';
import { openDiskStore } from '../store/disk.ts';
import type { ObjectStore } from '../store/object-store.ts';

/** Of the S3 protocol. */
export const TEST_S3_KEYS = {
  accessKeyId: 'test-access-key-id',
  secretAccessKey: 'test-secret-access-key',
};
const SECONDS_OF_TOKENS = 3600;

/** What some tests need otherwise. */
interface StorageServerOptions {
  settings?: ConfigSource;
  /** Run as superuser before anything else. */
  sql?: string;
  log?: Logger;
  /** One that the test looks after; by default, one in a folder of its own. */
  store?: ObjectStore;
}

/** What was answered. */
export interface StorageAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** Undefined where it is none. */
  json: unknown;
}

/** Options of {@link StorageServer.ask}. */
export interface AskOptions {
  /** `null` sends none. The token of service_role by default. */
  token?: string | null | undefined;
  headers?: Record<string, string>;
  /** An object is sent as JSON; anything else as it is. */
  body?: unknown;
}

/** A running service. */
export class StorageServer {
  readonly instance: StorageInstance;
  readonly keys: Keys;
  readonly apiKeys: ApiKeys;
  readonly database: TestDatabase;
  readonly store: ObjectStore;
  readonly #server: TestServer;
  readonly #closing: AsyncDisposableStack;

  private constructor(parts: {
    instance: StorageInstance;
    keys: Keys;
    apiKeys: ApiKeys;
    database: TestDatabase;
    server: TestServer;
    closing: AsyncDisposableStack;
  }) {
    this.instance = parts.instance;
    this.keys = parts.keys;
    this.apiKeys = parts.apiKeys;
    this.database = parts.database;
    this.store = parts.instance.context.store;
    this.#server = parts.server;
    this.#closing = parts.closing;
  }

  /** Starts one. */
  static async open(options: StorageServerOptions = {}): Promise<StorageServer> {
    const { settings = {}, sql, log = createLogger('silent') } = options;
    const closing = new AsyncDisposableStack();
    const database = await createTestDatabase();
    closing.defer(() => database.drop());
    if (sql !== undefined) await runScript(database, sql);
    const keys = await createTestKeys();
    const apiKeys = await createApiKeys({
      jwtSecret: TEST_JWT_SECRET,
      publishableKey: 'sb_publishable_test',
      secretKey: 'sb_secret_test',
      createdAt: Math.floor(Date.now() / 1000),
    });
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
      registry: createMetrics().registry,
      log,
    });
    closing.defer(() => instance.close());
    const server = await listenForTest(async (fastify) => {
      await registerApiScope(fastify, {
        prefix: '/storage/v1',
        service: storagePlugin,
        serviceOptions: { instance },
        credentials: { readApiKey: createApiKeyReader(apiKeys, keys), requireApiKey: true },
        openPaths: OPEN_STORAGE_PATHS,
        cors: STORAGE_CORS,
      });
    }, log);
    closing.defer(() => server.close());
    return new StorageServer({ instance, keys, apiKeys, database, server, closing });
  }

  /** Of the service. */
  get url(): string {
    return `${this.#server.url}/storage/v1`;
  }

  /** What official clients are made with. */
  get apiUrl(): string {
    return this.#server.url;
  }

  /** Asks for a path below the prefix: `GET /bucket`. */
  async ask(target: string, { token, headers = {}, body }: AskOptions = {}): Promise<StorageAnswer> {
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
    const answer = await fetch(this.url + path, init as RequestInit);
    const text = await answer.text();
    const { status, headers: answered } = answer;
    return { status, headers: answered, text, json: parse(text) };
  }

  /** A token for somebody who has signed in. */
  token(claims: Record<string, unknown> = {}): Promise<string> {
    const exp = Math.floor(Date.now() / 1000) + SECONDS_OF_TOKENS;
    return this.keys.sign({ role: 'authenticated', exp, ...claims });
  }

  /** Runs statements as superuser. */
  run(sql: string): Promise<void> {
    return runScript(this.database, sql);
  }

  /** Rows that a superuser sees. */
  rows<Row = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.database.admin.query<Row>({ text, values });
  }

  /** Versions of all content that the store has, when what was replaced is removed. */
  async contents(): Promise<string[]> {
    await this.instance.context.removals.settled();
    const found: string[] = [];
    for await (const portion of this.store.list(new Date(Date.now() + 60_000))) {
      for (const each of portion)
        found.push(each.kind === 'content' ? each.name.version : each.upload.version);
    }
    return found.toSorted();
  }

  close(): Promise<void> {
    return this.#closing.disposeAsync();
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

/** Many statements at once, which the extended protocol cannot take as one. */
async function runScript({ admin }: TestDatabase, sql: string): Promise<void> {
  await admin.query({ text: `do $script$ begin execute $sql$${sql}$sql$; end $script$` });
}
