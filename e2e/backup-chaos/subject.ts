/** An instance with a continuous backup: its project, its data folder, its archive and its processes. */
import { appendFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@greenroom/testing';
import {
  findOrphans,
  kill,
  type Launched,
  type Victims,
  waitForRestart,
  waitUntilReady,
} from '../crash/launch.ts';
import type { Access } from '../crash/writers.ts';
import { newDataFolder, removeDataFolder, runCli, spawnCli, watchOutput } from '../support/instance.ts';
import { type ArchivePlace, folderPlace, s3Place } from './archive-place.ts';
import { MIGRATION } from './load.ts';

const PASSPHRASE = 'a long passphrase of the trial';
const SERVICES = ['--services', 'auth,data,storage'];
const CONFIG = `
[api]
schemas = ["public", "pgmq_public"]
[auth.rate_limit]
sign_in_sign_ups = 100000
`;
const LAG_SECONDS = 1;
/** The stated lag. */
export const LAG_MS = LAG_SECONDS * 1000;
const BACKUP_TIMEOUT_MS = 120_000;
const POLL_MS = 200;

/** Times that can be restored, in milliseconds since 1970. */
export interface TimeRange {
  from: number;
  to: number;
}

/** A running instance. */
interface RunningInstance {
  launched: Launched;
  access: Access;
}

/** Result of a restore. */
interface RestoreOutcome {
  output: string;
  error: string | undefined;
  milliseconds: number;
}

/** An instance on a data folder, and its archive. */
export class Subject {
  readonly place: ArchivePlace;
  readonly folder: string;
  #port: number;
  #running: RunningInstance | undefined;

  private constructor(folder: string, place: ArchivePlace, port: number) {
    this.folder = folder;
    this.place = place;
    this.#port = port;
  }

  /** Creates the project, without a start. */
  static async create(kind: ArchivePlace['kind']): Promise<Subject> {
    const folder = await newDataFolder();
    const place = kind === 'S3' ? await s3Place() : folderPlace(join(folder, 'archive'));
    const subject = new Subject(folder, place, await freePort());
    await writeFile(subject.#passphraseFile, `${PASSPHRASE}\n`, { mode: 0o600 });
    await subject.#write('config.toml', CONFIG);
    await subject.#write('migrations/20260101000000_load.sql', MIGRATION);
    return subject;
  }

  get dataFolder(): string {
    return join(this.folder, 'data');
  }

  get running(): RunningInstance | undefined {
    return this.#running;
  }

  async useNewPort(): Promise<void> {
    this.#port = await freePort();
  }

  /** Starts the instance unless it runs. Rejects with its output if the start fails. */
  async start(): Promise<RunningInstance> {
    this.#running ??= await this.#launchReady(this.dataFolder, {});
    return this.#running;
  }

  /** Starts the instance, and kills the start after a time. Rejects if the start ends before. */
  async killStart(afterMs: number, victims: Victims): Promise<void> {
    const launched = this.#launch(this.dataFolder, {});
    await Promise.race([sleep(afterMs), launched.exited]);
    if (launched.child.exitCode !== null) throw new Error(`a start was refused:\n${launched.output()}`);
    await kill(launched, victims);
  }

  /** Runs `work` on an instance with restored data, which is not backed up, and stops it. */
  async withRestored<T>(folder: string, work: (access: Access) => Promise<T>): Promise<T> {
    const env = { GREENROOM_BACKUP_CONTINUOUS: 'false', PORT: '0' };
    const { launched, access } = await this.#launchReady(folder, env);
    try {
      return await work(access);
    } finally {
      await this.#stop(launched);
    }
  }

  /** Kills processes of the instance with SIGKILL, so that it ends. */
  async kill(victims: Victims): Promise<void> {
    const { launched } = this.#required();
    await kill(launched, victims);
    await this.#keepOutput(launched);
    this.#running = undefined;
  }

  /** Resolves when the instance has started PostgreSQL again. */
  async waitForPostgres(): Promise<void> {
    const { launched, access } = this.#required();
    await waitForRestart(launched, access.url);
  }

  /** Stops the instance, if it runs. */
  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    if (running) await this.#stop(running.launched);
  }

  /** Resolves when a backup exists that was created since a time. */
  async waitForBackup(since: number): Promise<void> {
    const { access, launched } = this.#required();
    const deadline = Date.now() + BACKUP_TIMEOUT_MS;
    for (;;) {
      const newest = await newestBackup(access.url);
      if (newest !== undefined && newest >= since) return;
      if (Date.now() > deadline) throw new Error(`no backup was created:\n${launched.output()}`);
      await sleep(POLL_MS);
    }
  }

  /** Returns the times that `greenroom backup list` names. */
  async restorable(): Promise<TimeRange[]> {
    const { code, stdout, stderr } = await this.#runCli(['backup', 'list', '-o', 'json']);
    if (code !== 0) throw new Error(`the backups cannot be listed: ${stderr}`);
    const { restorable } = JSON.parse(stdout) as { restorable: { from: string; to: string }[] };
    return restorable.map(({ from, to }) => ({ from: Date.parse(from), to: Date.parse(to) }));
  }

  /** Restores a state. @param into a new folder; undefined: the data folder, whose data is replaced */
  async restore(state: readonly string[], into: string | undefined): Promise<RestoreOutcome> {
    const place = into === undefined ? ['--force'] : ['--into', into];
    const start = performance.now();
    const { code, stdout, stderr } = await this.#runCli(['restore', ...state, ...place, '--no-start']);
    if (code === 0 && into === undefined) await this.#removeFormerData();
    return {
      output: stdout,
      error: code === 0 ? undefined : stderr,
      milliseconds: performance.now() - start,
    };
  }

  /** Removes the folders that `--force` has kept. */
  async #removeFormerData(): Promise<void> {
    const former = (await readdir(this.folder)).filter((name) => name.startsWith('data.before-'));
    for (const name of former) await this.remove(join(this.folder, name));
  }

  /** Returns the processes that work for the instance although it did not start them. */
  async orphans(): Promise<string[]> {
    const found = await findOrphans(this.dataFolder, this.#running?.launched);
    return found.map(({ name, pid }) => `${name} (pid ${pid})`);
  }

  /** Stops everything. Removes the folder, unless it is to be kept. */
  async finish(keepsFolder: boolean): Promise<void> {
    await this.stop();
    if (keepsFolder) await this.place.keep(join(this.folder, 'last-archive'));
    await this.place.close();
    if (!keepsFolder) await removeDataFolder(this.folder);
  }

  /** Moves a folder away, so that it is not removed. */
  async keep(folder: string, name: string): Promise<void> {
    await rename(folder, join(this.folder, name)).catch(() => undefined);
    await this.place.keep(join(this.folder, `${name}-archive`));
  }

  async remove(folder: string): Promise<void> {
    await rm(folder, { recursive: true, force: true });
  }

  get #passphraseFile(): string {
    return join(this.folder, 'passphrase');
  }

  get #env(): Record<string, string> {
    return {
      ...this.place.env,
      XDG_STATE_HOME: join(this.folder, 'state'),
      PORT: String(this.#port),
      GREENROOM_BACKUP_PASSPHRASE_FILE: this.#passphraseFile,
      GREENROOM_BACKUP_LAG_SECONDS: String(LAG_SECONDS),
      GREENROOM_BACKUP_SCHEDULE: '* * * * *',
      GREENROOM_BACKUP_VERIFY: 'true',
      LOG_LEVEL: 'info',
    };
  }

  get #project(): string[] {
    return ['--project', join(this.folder, 'project')];
  }

  #runCli(args: readonly string[]) {
    return runCli([...args, ...this.#project], this.dataFolder, this.#env);
  }

  #launch(folder: string, env: Record<string, string>): Launched {
    const child = spawnCli(['start', ...SERVICES, ...this.#project], folder, { ...this.#env, ...env });
    return { ...watchOutput(child), folder, isInNamespace: false };
  }

  async #launchReady(folder: string, env: Record<string, string>): Promise<RunningInstance> {
    const launched = this.#launch(folder, env);
    try {
      return { launched, access: await waitUntilReady(launched) };
    } catch (error) {
      await kill(launched, 'all processes');
      throw error;
    }
  }

  async #stop(launched: Launched): Promise<void> {
    launched.child.kill('SIGTERM');
    const code = await launched.exited;
    await this.#keepOutput(launched);
    if (code !== 0) throw new Error(`the instance stopped with code ${code}:\n${launched.output()}`);
  }

  async #keepOutput({ output, folder }: Launched): Promise<void> {
    const log = join(this.folder, 'instance.log');
    const lines = output()
      .split('\n')
      .filter((line) => !line.includes('"msg":"request"'));
    await appendFile(
      log,
      `${lines.join('\n')}\n${new Date().toISOString()}: end of the instance in ${folder}\n\n`,
    );
  }

  #required(): RunningInstance {
    if (!this.#running) throw new Error('the instance does not run');
    return this.#running;
  }

  async #write(path: string, content: string): Promise<void> {
    const location = join(this.folder, 'project', 'supabase', path);
    await mkdir(dirname(location), { recursive: true });
    await writeFile(location, content);
  }
}

async function newestBackup(url: string): Promise<number | undefined> {
  const { backup } = (await (await fetch(`${url}/health`)).json()) as { backup?: { newestBackup?: string } };
  return backup?.newestBackup === undefined ? undefined : Date.parse(backup.newestBackup);
}
