/** Runs functions over real sockets, without a database. */
import { globSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { type ConfigSource, loadSettings } from '@greenroom/config';
import { registerApiScope } from '@greenroom/http';
import { type ApiKeys, createApiKeyReader, type Keys } from '@greenroom/keys';
import { createLogger } from '@greenroom/log';
import { findFunctions } from '@greenroom/project';
import { createTestProject } from '@greenroom/project/testing/project-folder';
import { createTestApiKeys, createTestKeys, freePort, listenForTest } from '@greenroom/testing';
import { Registry } from 'prom-client';
import { createInstance } from '../instance.ts';
import { createFunctionsMetrics, type FunctionsMetrics } from '../metrics.ts';
import { FUNCTIONS_CORS, functionsPlugin } from '../plugin.ts';
import { connectTo } from '../runtime/connect-to-api.ts';
import { LogFeed } from '../runtime/log-feed.ts';
import { openFunctions } from '../runtime/open-functions.ts';
import { createPreparation } from '../runtime/preparation.ts';
import { functionsSettings } from '../settings.ts';

const PREFIX = '/functions/v1';

/** Options of {@link FunctionsServer.open}. */
interface FunctionsServerOptions {
  /** Files below `supabase/functions/`. */
  files: Record<string, string>;
  settings?: ConfigSource;
  secrets?: Record<string, string>;
  /** Names of functions that check no token. Default: all. */
  open?: readonly string[] | 'all';
  /** Whether functions are prepared before their first requests, as those of an instance. Default: false. */
  preparesAhead?: boolean;
  /** Folder of an instance whose prepared functions are used again. Default: a new one, removed at the end. */
  dataFolder?: string;
}

/** A line of the log. */
interface LogLine {
  level: number;
  msg: string;
  function?: string;
  reqId?: string;
  /** Of the process that a function was started with. */
  pid?: number;
  err?: { message: string };
}

/** Running functions. */
export class FunctionsServer implements AsyncDisposable {
  readonly url: string;
  readonly origin: string;
  readonly keys: Keys;
  readonly apiKeys: ApiKeys;
  readonly lines: LogLine[];
  /** Folder of the instance. */
  readonly dataFolder: string;
  readonly metrics: FunctionsMetrics;
  readonly #closing: AsyncDisposableStack;
  readonly #write: (path: string, content: string) => Promise<void>;

  private constructor(
    parts: Pick<FunctionsServer, 'origin' | 'keys' | 'apiKeys' | 'lines' | 'dataFolder' | 'metrics'> & Parts,
  ) {
    this.origin = parts.origin;
    this.url = parts.origin + PREFIX;
    this.keys = parts.keys;
    this.apiKeys = parts.apiKeys;
    this.lines = parts.lines;
    this.dataFolder = parts.dataFolder;
    this.metrics = parts.metrics;
    this.#closing = parts.closing;
    this.#write = parts.write;
  }

  /** Starts a server with these functions. */
  static async open(options: FunctionsServerOptions): Promise<FunctionsServer> {
    const { files, settings = {}, secrets = {}, open: names = 'all', preparesAhead = false } = options;
    const closing = new AsyncDisposableStack();
    const paths = Object.entries(files).map(([path, text]) => [`functions/${path}`, text]);
    const project = closing.use(await createTestProject(Object.fromEntries(paths) as Record<string, string>));
    const dataFolder = options.dataFolder ?? (await createDataFolder(closing));
    const lines: LogLine[] = [];
    const log = createLogger('debug', collect(lines));
    const [keys, apiKeys, port] = [await createTestKeys(), await createTestApiKeys(), await freePort()];
    const config = loadSettings(functionsSettings, settings);
    const metrics = createFunctionsMetrics(new Registry());
    const origin = `http://127.0.0.1:${port}`;
    const isOpen = (name: string) => names === 'all' || names.includes(name);
    const opened = await openFunctions({
      config,
      project: {
        folder: join(project.supabaseFolder, 'functions'),
        list: async () =>
          (await findFunctions(project)).map((found) => ({ ...found, verifiesJwt: !isOpen(found.name) })),
        secrets: async () => new Map(Object.entries(secrets)),
        onChange: () => undefined,
      },
      platform: { url: origin, apiKeys, jwks: keys.jwks() },
      preparation: createPreparation({
        dataFolder,
        projectFolder: join(project.supabaseFolder, 'functions'),
        downloads: config.downloads,
        log,
      }),
      connectToApi: connectTo({ host: '127.0.0.1', port }, async () => undefined),
      apiOrigins: [origin, 'http://kong:8000'],
      watches: true,
      feed: new LogFeed(),
      metrics,
      log,
    });
    closing.defer(() => opened.close());
    const readApiKey = createApiKeyReader(apiKeys, keys);
    const instance = createInstance({ config, tokens: keys, functions: opened.functions });
    const server = await listenForTest(
      async (fastify) => {
        fastify.upgrades.accept(`${PREFIX}/*`);
        fastify.get('/rest/v1/ping', async (request) => ({ apikey: request.headers.apikey ?? null }));
        await registerApiScope(fastify, {
          prefix: PREFIX,
          service: functionsPlugin,
          serviceOptions: { instance, readApiKey },
          credentials: { readApiKey, requireApiKey: true },
          openPaths: ['/*'],
          cors: FUNCTIONS_CORS,
        });
      },
      log,
      { port },
    );
    closing.defer(() => server.close());
    if (preparesAhead) opened.prepareAhead();
    const { write } = project;
    return new FunctionsServer({ origin, keys, apiKeys, lines, dataFolder, metrics, closing, write });
  }

  /** Calls a function, e.g. `hello/1?x=2`. */
  call(path: string, init?: RequestInit): Promise<Response> {
    return fetch(`${this.url}/${path}`, init);
  }

  /** Changes a file below `supabase/functions/`. */
  write(path: string, content: string): Promise<void> {
    return this.#write(`functions/${path}`, content);
  }

  /** Whether the files of a function have been copied. */
  isPrepared(name: string): boolean {
    return globSync(`${name}/*/deno.json`, { cwd: join(this.dataFolder, 'functions') }).length > 0;
  }

  /** Returns the messages that a function logged. */
  logOf(name: string): string[] {
    return this.lines
      .filter((line) => line.function === name && line.pid === undefined)
      .map(({ msg }) => msg);
  }

  /** Returns the reason of the last error of the server in the log. */
  lastFailure(): string | undefined {
    return this.lines.findLast(({ err }) => err !== undefined)?.err?.message;
  }

  /** Returns the id of the last process of a function. */
  pidOf(name: string): number | undefined {
    return this.lines.findLast((line) => line.function === name && line.pid !== undefined)?.pid;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#closing.disposeAsync();
  }
}

interface Parts {
  closing: AsyncDisposableStack;
  write: (path: string, content: string) => Promise<void>;
}

async function createDataFolder(closing: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-data-'));
  // Users of functions pass through it, as through that of an instance.
  await chmod(folder, 0o711);
  closing.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function collect(lines: LogLine[]): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const text of chunk.toString().split('\n'))
        if (text !== '') lines.push(JSON.parse(text) as LogLine);
      done();
    },
  });
}
