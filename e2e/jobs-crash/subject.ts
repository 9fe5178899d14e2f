/** The instance that is killed and started again: its project, its processes and connections to its database. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openSession, type Session } from '@greenroom/postgres';
import {
  findOrphans,
  kill,
  type Launched,
  type Victims,
  waitForRestart,
  waitUntilReady,
} from '../crash/launch.ts';
import { newDataFolder, removeDataFolder, runCli, spawnCli, watchOutput } from '../support/instance.ts';
import type { Endpoint } from './endpoint.ts';
import type { Load, Surroundings } from './load.ts';

/** Webhooks are repeated each second, for longer than the trial waits. */
const RETRIES = Array.from({ length: 20 }, () => '1s').join();

/** Surroundings with a connection for one client. */
interface Connected {
  surroundings: Surroundings;
  close(): Promise<void>;
}

/** An instance on a data folder. */
export class Subject {
  readonly #endpoint: Endpoint;
  readonly #project: string;
  readonly #folder: string;
  #running: { launched: Launched; url: string; databaseUrl: string } | undefined;

  private constructor(endpoint: Endpoint, folder: string) {
    this.#endpoint = endpoint;
    this.#folder = folder;
    this.#project = join(folder, 'project');
  }

  /** Creates the project in a new folder. */
  static async create(loads: readonly Load[], endpoint: Endpoint): Promise<Subject> {
    const subject = new Subject(endpoint, await newDataFolder());
    const functions = Object.assign({}, ...loads.map((load) => load.functions ?? {})) as Record<
      string,
      string
    >;
    const names = Object.keys(functions);
    await subject.#write(
      'config.toml',
      names.map((name) => `[functions.${name}]\nverify_jwt = false\n`).join('\n'),
    );
    for (const name of names) await subject.#write(`functions/${name}/index.ts`, functions[name] ?? '');
    const migrations = loads.map((load) => load.migration?.(endpoint.url) ?? '');
    await subject.#write('migrations/20260101000000_loads.sql', migrations.join('\n'));
    return subject;
  }

  get folder(): string {
    return this.#folder;
  }

  /** Starts the instance unless it runs. Rejects with its output if the start fails. */
  async start(): Promise<void> {
    if (this.#running) return;
    const child = spawnCli(['start', '--project', this.#project], this.#dataFolder, {
      GREENROOM_NET_ALLOWED_HOSTS: `127.0.0.1:${this.#endpoint.port}`,
      GREENROOM_WEBHOOK_RETRIES: RETRIES,
    });
    const launched: Launched = { ...watchOutput(child), folder: this.#dataFolder, isInNamespace: false };
    const { url } = await waitUntilReady(launched).catch(async (error: unknown) => {
      await kill(launched, 'all processes');
      throw error;
    });
    const { stdout } = await runCli(['status', '-o', 'json'], this.#dataFolder);
    const { DB_URL: databaseUrl = '' } = JSON.parse(stdout) as Record<string, string>;
    this.#running = { launched, url, databaseUrl };
  }

  /** Kills processes of the instance with SIGKILL. PostgreSQL alone is started again by the server. */
  async kill(victims: Victims): Promise<void> {
    const { launched, url } = this.#required();
    await kill(launched, victims);
    if (victims === 'postmaster') await waitForRestart(launched, url);
    else this.#running = undefined;
  }

  /** Opens a connection for one client. */
  async connect(): Promise<Connected> {
    const { url, databaseUrl } = this.#required();
    const session = await openSession({ url: databaseUrl, applicationName: 'jobs-crash' });
    return {
      surroundings: {
        url,
        endpointUrl: this.#endpoint.url,
        received: this.#endpoint.received,
        query: (...statements) => run(session, statements),
      },
      close: () => session.close().catch(() => undefined),
    };
  }

  /** Returns the processes that work in the data folder although the instance did not start them. */
  async orphans(): Promise<string[]> {
    const found = await findOrphans(this.#dataFolder, this.#running?.launched);
    return found.map(({ name, pid }) => `${name} (pid ${pid})`);
  }

  /** Stops the instance. Removes its folder, unless it is to be kept. */
  async finish(keepsFolder: boolean): Promise<void> {
    this.#running?.launched.child.kill('SIGTERM');
    await this.#running?.launched.exited;
    if (!keepsFolder) await removeDataFolder(this.#folder);
  }

  get #dataFolder(): string {
    return join(this.#folder, 'data');
  }

  #required() {
    if (!this.#running) throw new Error('the instance does not run');
    return this.#running;
  }

  async #write(path: string, content: string): Promise<void> {
    const location = join(this.#project, 'supabase', path);
    await mkdir(dirname(location), { recursive: true });
    await writeFile(location, content);
  }
}

async function run(session: Session, statements: Parameters<Surroundings['query']>) {
  const results = await session.batch(
    statements.map((each) => (typeof each === 'string' ? { text: each } : each)),
  );
  return results.at(-1) ?? [];
}
