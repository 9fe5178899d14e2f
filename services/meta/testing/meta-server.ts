/** The service over real sockets, on a separate database. */
import { type ConfigSource, loadSettings } from '@greenroom/config';
import { createLocalFetch, registerApiScope } from '@greenroom/http';
import { createApiKeyReader } from '@greenroom/keys';
import { openDatabase, roleUrl } from '@greenroom/postgres';
import type { ServiceContext } from '@greenroom/service';
import {
  type ListeningService,
  listenForService,
  prepareService,
  ServiceServer,
  TEST_JWT_SECRET,
} from '@greenroom/testing';
import { open } from '../open.ts';
import type { RunOutcome } from '../run/run.ts';
import { type MetaConfig, metaSettings } from '../settings.ts';

const PREFIX = '/pg';

/** Options of {@link MetaServer.open}. */
interface MetaServerOptions {
  /** SQL to run as superuser first. */
  sql?: string;
  settings?: ConfigSource;
  /** URL under which browsers open the app. Default: a loopback address. */
  appUrl?: string;
  /** Absolute path of `supabase/`. Default: no project. */
  supabaseFolder?: string;
}

/** A call of {@link MetaServer.call}. */
interface MetaCall {
  method?: string;
  body?: unknown;
  /** Default: the service key. */
  key?: string | null;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** A running service. */
export class MetaServer extends ServiceServer implements AsyncDisposable {
  readonly #local: typeof fetch;

  private constructor(parts: ListeningService) {
    super(PREFIX, parts);
    this.#local = createLocalFetch(parts.server.server, parts.server.url);
  }

  static async open(options: MetaServerOptions = {}): Promise<MetaServer> {
    const { sql, settings = {}, appUrl = 'http://localhost:54321', supabaseFolder } = options;
    const parts = await prepareService({ sql });
    const { database, keys, apiKeys, log, closing } = parts;
    const readApiKey = createApiKeyReader(apiKeys, keys);
    const service = await open({
      config: loadSettings(metaSettings, settings),
      instance: { appUrl },
      source: settings,
      keys: { readApiKey },
      database: {
        ownerUrl: database.ownerUrl,
        open: (role: string, { name, ...pool }: { name: string; max: number }) =>
          openDatabase({ ...pool, url: roleUrl(database.url, role, TEST_JWT_SECRET), applicationName: name }),
      },
      project: supabaseFolder === undefined ? undefined : { supabaseFolder },
      log,
    } as unknown as ServiceContext<MetaConfig>);
    closing.defer(() => service.close());
    const register: Parameters<typeof listenForService>[1] = async (server) => {
      for (const { prefix, plugin, openPaths, cors } of service.routes) {
        const credentials = { readApiKey, requireApiKey: true };
        await registerApiScope(server, {
          prefix,
          service: plugin,
          serviceOptions: {},
          credentials,
          openPaths,
          ...(cors && { cors }),
        });
      }
    };
    return new MetaServer(await listenForService(parts, register));
  }

  /** Calls a route as the pages of the process do, with the service key. */
  call(path: string, call: MetaCall = {}): Promise<Response> {
    return this.#local(this.url + path, this.#init(call));
  }

  /** Calls a route over the network. */
  callFromOutside(path: string, call: MetaCall = {}): Promise<Response> {
    return fetch(this.url + path, this.#init(call));
  }

  /** Runs SQL. Throws if the request is refused. */
  async sql(sql: string, options: Record<string, unknown> = {}): Promise<RunOutcome> {
    const response = await this.call('/run', { body: { sql, ...options } });
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
    return (await response.json()) as RunOutcome;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #init({ method, body, key = this.apiKeys.serviceRole, headers, signal }: MetaCall): RequestInit {
    return {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(key !== null && { apikey: key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    };
  }
}
