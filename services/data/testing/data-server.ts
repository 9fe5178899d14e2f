/** The data API over real sockets, on a separate database. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConfigSource } from '@greenroom/config';
import type { Logger } from '@greenroom/log';
import { openListenConnection } from '@greenroom/postgres';
import {
  createEmptyDatabase,
  createTestDatabase,
  type EmptyDatabase,
  type ListeningService,
  listenForService,
  prepareService,
  ServiceServer,
} from '@greenroom/testing';
import type { FastifyInstance } from 'fastify';
import { keyringVerifier } from '../auth/verify-token.ts';
import { type DataInstance, openDataInstance } from '../instance.ts';
import { dataPlugin } from '../plugin.ts';

/** A received response. */
export interface WireResponse {
  status: number;
  statusText: string;
  /** Returns a header, or null if it is missing. */
  header(name: string): string | null;
  text: string;
  /** The body as JSON. Throws if it is not JSON. */
  json: unknown;
}

/** The request of a test. */
export interface WireRequest {
  method?: string;
  headers?: Record<string, string>;
  /** Texts and bytes are sent unchanged, any other value as JSON. */
  body?: unknown;
  /** Claims of the token that is sent. */
  claims?: Record<string, unknown>;
}

const FAR_AWAY = 4_102_444_800;
/** Shortened for tests, because tests that change the schema or settings would otherwise mostly wait. */
const RELOAD_INTERVAL_MS = 5;

/** Options that only some tests need. */
interface DataServerOptions {
  log?: Logger;
  /** Whether reloads have the same minimum interval as outside of tests. */
  waitsBetweenReloads?: boolean;
  /** Whether the instance has no keys and no default anonymous role, as in standalone mode. */
  isStandalone?: boolean;
  /** URL at which the instance looks for its database instead of the real one. The start does not wait for it. */
  wrongUrl?: string;
  /** Whether the server trusts `X-Forwarded-For`, so that limits distinguish the clients of a test. */
  trustsForwarded?: boolean;
  /** SQL that runs first, and once for all test files that pass the same one. */
  shared?: string;
  /** Superuser's URL of another PostgreSQL without the platform's migrations. The service also logs in with it. */
  postgresUrl?: string | undefined;
}

/** The served instance. */
interface ServedDatabase extends Omit<EmptyDatabase, 'name'> {
  authenticatorUrl: string;
}

const PREFIX = '/rest/v1';

/** A running data API. */
export class DataServer extends ServiceServer<ServedDatabase> {
  readonly instance: DataInstance;

  private constructor(parts: ListeningService<ServedDatabase>, instance: DataInstance) {
    super(PREFIX, parts);
    this.instance = instance;
  }

  /** Starts a data API on a database that `sql` creates, with settings of the data API. */
  static async open(
    sql: string,
    settings: ConfigSource = {},
    options: DataServerOptions = {},
  ): Promise<DataServer> {
    const database = await createDatabase(options);
    if (sql !== '') await database.run(sql);
    return DataServer.#start(database, settings, options, [() => database.drop()]);
  }

  /** Starts another data API on the same database, which is much faster than creating a database. Close it before this one. */
  startAnother(settings: ConfigSource = {}, options: DataServerOptions = {}): Promise<DataServer> {
    return DataServer.#start(this.database, settings, options, []);
  }

  static async #start(
    database: ServedDatabase,
    settings: ConfigSource,
    options: DataServerOptions,
    finallyDone: (() => Promise<void>)[],
  ): Promise<DataServer> {
    const { waitsBetweenReloads = false, isStandalone = false, wrongUrl, trustsForwarded = false } = options;
    const parts = await prepareService<ServedDatabase>({ database, log: options.log });
    for (const done of finallyDone) parts.closing.defer(done);
    const url = wrongUrl ?? database.authenticatorUrl;
    const listening = openListenConnection({
      url,
      applicationName: 'greenroom, listening',
      onSubscriberError: (error) => parts.log.error({ err: error }),
    });
    parts.closing.defer(() => listening.close());
    const instance = openDataInstance({
      url,
      listen: listening.subscribe.bind(listening),
      environment: settings,
      anonRole: isStandalone ? undefined : 'anon',
      publicUrl: `http://127.0.0.1:54321${PREFIX}`,
      verifyOwn: isStandalone ? undefined : keyringVerifier(parts.keys),
      log: parts.log,
      minReloadIntervalMs: waitsBetweenReloads ? undefined : RELOAD_INTERVAL_MS,
    });
    parts.closing.defer(() => instance.close());
    if (wrongUrl === undefined) await instance.waitUntilLoaded();
    const register = async (scope: FastifyInstance) => {
      await scope.register(dataPlugin, { instance, prefix: PREFIX });
    };
    const trustedProxies = trustsForwarded ? ['127.0.0.1'] : [];
    return new DataServer(await listenForService(parts, register, { trustedProxies }), instance);
  }

  /** A token with these claims. */
  override token(claims: Record<string, unknown>): Promise<string> {
    return this.keys.sign({ exp: FAR_AWAY, ...claims });
  }

  /** Sends a request for a path below the prefix, e.g. `/films?id=eq.1`. */
  async request(
    path: string,
    { method = 'GET', headers = {}, body, claims }: WireRequest = {},
  ): Promise<WireResponse> {
    const token = claims && (await this.token(claims));
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(isJson(body) && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: bodyOf(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      statusText: response.statusText,
      header: (name) => response.headers.get(name),
      text,
      get json() {
        return JSON.parse(text) as unknown;
      },
    };
  }

  /** The number of times that the schema has been read. */
  get generation(): number {
    return this.instance.snapshot()?.cache.generation ?? 0;
  }

  /** Runs statements as superuser, and waits until the schema has been read again. */
  async change(sql: string): Promise<void> {
    await this.run(sql);
    await this.reload();
  }

  /**
   * Has schema and settings read again, and waits for it: twice, since what had begun before the notice may have read
   * the old ones.
   */
  async reload(notice = "notify pgrst, 'reload schema'"): Promise<void> {
    for (let i = 0; i < 2; i += 1) {
      const before = this.generation;
      await this.database.admin.query({ text: notice });
      while (this.generation === before) await sleep(2);
    }
  }
}

async function createDatabase({ postgresUrl, shared }: DataServerOptions): Promise<ServedDatabase> {
  if (postgresUrl === undefined) return createTestDatabase(shared);
  const database = await createEmptyDatabase(postgresUrl);
  return { ...database, authenticatorUrl: database.url };
}

function isJson(body: unknown): boolean {
  return body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array);
}

function bodyOf(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}
