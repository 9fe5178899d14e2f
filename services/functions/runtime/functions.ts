/** Starts the processes of functions, and replaces them when their files change. */
import { link, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@greenroom/log';
import type { ProjectFunction } from '@greenroom/project';
import type { FunctionsMetrics } from '../metrics.ts';
import type { ProcessUser } from '../process-user.ts';
import type { FunctionsConfig } from '../settings.ts';
import type { PreparedFunction } from '../source/prepared-function.ts';
import type { BootstrapOptions } from './bootstrap/main.ts';
import type { LogLevel } from './bootstrap/messages.ts';
import { type Capacity, createCapacity } from './capacity.ts';
import { FunctionWorkers, type Lease } from './function-workers.ts';
import { limitsOf } from './limits.ts';
import type { LogFeed } from './log-feed.ts';
import { copyCache } from './process-cache.ts';
import { API_SOCKET, MODEL_SOCKET, type RunFolder } from './run-folder.ts';
import { Worker } from './worker.ts';
import { socketIn, workerCommand } from './worker-command.ts';

/** What processes need. */
interface FunctionsOptions {
  config: FunctionsConfig;
  /** Returns the path of the runtime, after the words that launch it. Rejects with `StartFailure` without one. */
  program(): Promise<readonly string[]>;
  runFolder: RunFolder;
  apiSocket: string;
  /** Path of the socket to the host of models; undefined without one. */
  modelSocket: string | undefined;
  apiOrigins: readonly string[];
  /** Lists the functions of the project as it is now. */
  list(): Promise<readonly ProjectFunction[]>;
  /** Prepares the files of a function as they are now, and fills their cache. Rejects with `StartFailure`. */
  prepare(source: ProjectFunction): Promise<PreparedFunction>;
  /** Returns the environment of a new process. */
  environment(source: ProjectFunction): Promise<Readonly<Record<string, string>>>;
  /** The user that the processes of a function run as; undefined: that of the server. */
  userOf(name: string): Promise<ProcessUser | undefined>;
  metrics: FunctionsMetrics;
  /** Receives the lines of all functions. */
  feed: LogFeed;
  /** Returns which function has an inspector now. */
  inspector(): FunctionsConfig['inspector'];
  log: Logger;
}

interface Entry {
  source: ProjectFunction;
  workers: FunctionWorkers;
  /** Identifies the files of the process that takes requests. */
  hash: string | undefined;
}

export class Functions {
  readonly #options: FunctionsOptions;
  readonly #capacity: Capacity;
  #entries: Promise<Map<string, Entry>> | undefined;
  /** Settles when the refreshes so far have ended: one at a time, so that no entry is lost. */
  #refreshed: Promise<void> = Promise.resolve();

  constructor(options: FunctionsOptions) {
    this.#options = options;
    this.#capacity = createCapacity(options.config.maxWorkers);
  }

  /** Returns a function of the project; undefined if there is none of this name. */
  async find(name: string): Promise<ProjectFunction | undefined> {
    return (await this.#loaded()).get(name)?.source;
  }

  /** Returns a process that serves a function. Rejects with `StartFailure`, or an error of the catalogue. */
  async acquire(name: string): Promise<Lease> {
    const entry = (await this.#loaded()).get(name);
    if (entry === undefined) throw new Error(`function ${name} does not exist`);
    return entry.workers.acquire();
  }

  /** Reads the project again. Functions whose files have changed are replaced, those that are gone end. */
  refresh(): Promise<void> {
    const refreshed = this.#refreshed.then(() => this.#refresh());
    this.#refreshed = refreshed.catch(() => undefined);
    return refreshed;
  }

  async #refresh(): Promise<void> {
    const former = await this.#loaded();
    const sources = await this.#options.list();
    const next = new Map(
      sources.map((source) => [source.name, this.#entryOf(source, former.get(source.name))]),
    );
    this.#entries = Promise.resolve(next);
    for (const [name, entry] of former) {
      if (!next.has(name)) void entry.workers.close();
    }
    for (const entry of next.values()) await this.#replaceIfChanged(entry);
  }

  /** Lets the next request of each function use a new process, because the environment has changed. */
  async replaceAll(): Promise<void> {
    for (const { workers } of (await this.#loaded()).values()) workers.replace();
  }

  async close(): Promise<void> {
    const entries = await this.#loaded();
    await Promise.all([...entries.values()].map(({ workers }) => workers.kill()));
  }

  #loaded(): Promise<Map<string, Entry>> {
    this.#entries ??= this.#options
      .list()
      .then((sources) => new Map(sources.map((source) => [source.name, this.#entryOf(source, undefined)])));
    return this.#entries;
  }

  #entryOf(source: ProjectFunction, former: Entry | undefined): Entry {
    if (former !== undefined) {
      former.source = source;
      return former;
    }
    const entry: Entry = {
      source,
      hash: undefined,
      workers: new FunctionWorkers({
        start: () => this.#start(entry),
        capacity: this.#capacity,
        idleMs: this.#options.config.idleMs,
      }),
    };
    return entry;
  }

  async #replaceIfChanged(entry: Entry): Promise<void> {
    if (entry.workers.size === 0) {
      entry.workers.replace();
      return;
    }
    const hash = await this.#options.prepare(entry.source).then(
      (prepared) => prepared.hash,
      () => undefined,
    );
    if (hash !== entry.hash) entry.workers.replace();
  }

  async #start(entry: Entry): Promise<Worker> {
    const { runFolder, metrics, log } = this.#options;
    const config = { ...this.#options.config, inspector: this.#options.inspector() };
    const { name } = entry.source;
    const prepared = await this.#options.prepare(entry.source);
    entry.hash = prepared.hash;
    const user = await this.#options.userOf(name);
    const folder = await runFolder.create(user);
    const cache = `${folder}.cache`;
    await copyCache(prepared.cache, cache, user);
    const command = workerCommand({
      name,
      prepared,
      config,
      folder,
      cache,
      user,
      program: await this.#options.program(),
      api: await this.#linkSockets(folder),
      environment: await this.#options.environment(entry.source),
    });
    const worker = new Worker({
      command,
      socket: socketIn(folder),
      folders: [folder, cache],
      limits: limitsOf(name, config),
      output: {
        onLine: (level, text, request) => this.#receive(name, { level, text, request }),
        onDropped: (bytes) => log.warn({ function: name, bytes }, 'output of the function was dropped'),
      },
      onEnd: ({ endReason = 'exit' }) => {
        metrics.processes.dec();
        metrics.ended.inc({ reason: endReason });
        log.debug({ function: name, reason: endReason }, 'the process of a function ended');
        for (const path of [folder, cache])
          rm(path, { recursive: true, force: true }).catch((error: unknown) =>
            log.warn({ err: error, function: name }, 'the folder of a process was not removed'),
          );
      },
    });
    metrics.processes.inc();
    log.debug({ function: name, pid: worker.pid }, 'the process of a function started');
    return worker;
  }

  /** Gives a process separate names of sockets: it may also remove those that it connects to. */
  async #linkSockets(folder: string): Promise<Pick<BootstrapOptions, 'apiSocket' | 'apiOrigins' | 'models'>> {
    const { apiSocket, apiOrigins, modelSocket, config } = this.#options;
    const own = { api: join(folder, API_SOCKET), model: join(folder, MODEL_SOCKET) };
    await link(apiSocket, own.api);
    if (modelSocket === undefined) return { apiSocket: own.api, apiOrigins };
    await link(modelSocket, own.model);
    const { embeddingModel } = config.models;
    return { apiSocket: own.api, apiOrigins, models: { socket: own.model, embeddingModel } };
  }

  #receive(
    name: string,
    { level, text, request }: { level: LogLevel; text: string; request?: string | undefined },
  ) {
    const { log, feed } = this.#options;
    log[level]({ function: name, reqId: request }, text);
    feed.add({
      time: new Date().toISOString(),
      level,
      function: name,
      request: request ?? null,
      message: text,
    });
  }
}
