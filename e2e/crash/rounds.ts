/** Rounds of writing, killing, restarting and checking. */
import { setTimeout as sleep } from 'node:timers/promises';
import { newDataFolder, removeDataFolder } from '../support/instance.ts';
import {
  findOrphans,
  kill,
  type Launched,
  launch,
  readPostmasterPid,
  type Victims,
  waitForRestart,
  waitUntilReady,
} from './launch.ts';
import { pick, type Random } from './random.ts';
import {
  type Access,
  addToLedger,
  countWrites,
  findLostWrites,
  type Ledger,
  newLedger,
  startWriters,
} from './writers.ts';

/** The target of a round's kill, or the kind of start that the round kills. */
export const KINDS = [
  'server',
  'postmaster',
  'server and postmaster',
  'all processes',
  'later start',
  'first start',
] as const;

/** See {@link KINDS}. */
export type Kind = (typeof KINDS)[number];

/** Maximum time that clients write before a kill. */
const WRITE_MS = 1500;
/** Maximum time until a starting instance is killed: about the duration of a start. */
const START_MS = { 'first start': 6000, 'later start': 2000 };
const MAX_KILLED_STARTS = 3;
/** Killing the postmaster during a start may fail that start, so it is not a victim there. */
const START_VICTIMS: readonly Victims[] = ['server', 'server and postmaster', 'all processes'];
const ORPHAN_TIMEOUT_MS = 10_000;
const POLL_MS = 100;

/** Options of {@link runRounds}. */
interface RoundOptions {
  /** The kind of each round, in order. */
  kinds: readonly Kind[];
  random: Random;
  /** Runs the instance as process 1 of a PID namespace, so that pids repeat. */
  isInNamespace: boolean;
  /** Fills the data folder of all rounds except for those of a first start. */
  prepare?: (folder: string) => Promise<void>;
  print: (line: string) => void;
}

/** Results of {@link runRounds}. */
export interface RoundResults {
  rounds: number;
  acknowledged: number;
  /** Number of kills; a round may have several. */
  kills: number;
  lost: string[];
  refused: string[];
  orphans: string[];
  /** Number of starts whose postmaster had the pid of an earlier one. */
  repeatedPids: number;
}

/** Runs the rounds. A failure does not end them. Data folders of a failed run are kept, and their paths are printed. */
export async function runRounds(options: RoundOptions): Promise<RoundResults> {
  const results: RoundResults = {
    rounds: 0,
    acknowledged: 0,
    kills: 0,
    lost: [],
    refused: [],
    orphans: [],
    repeatedPids: 0,
  };
  const shared = new Subject(await newDataFolder(), options, results);
  await options.prepare?.(shared.folder);
  for (const kind of options.kinds) {
    results.rounds += 1;
    const started = performance.now();
    const subject = kind === 'first start' ? new Subject(await newDataFolder(), options, results) : shared;
    const detail = await runRound(subject, kind, options.random).catch((error: Error) => {
      results.refused.push(`round ${results.rounds}, ${kind}: ${error.message}`);
      return `failed: ${error.message}`;
    });
    if (subject !== shared) await subject.finish();
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    options.print(`round ${results.rounds} ${kind}: ${detail}, ${seconds} s`);
  }
  await shared.checkAll();
  await shared.finish();
  return results;
}

/** Whether no write was lost, no start failed and no process remained. */
export function isClean({ lost, refused, orphans }: RoundResults): boolean {
  return lost.length + refused.length + orphans.length === 0;
}

async function runRound(subject: Subject, kind: Kind, random: Random): Promise<string> {
  if (kind === 'first start') {
    const killed = await subject.killStarts(kind, 1 + Math.floor(random() * MAX_KILLED_STARTS));
    return `${killed}; ${await subject.writeAndKill('server')}`;
  }
  if (kind === 'later start') {
    const written = await subject.writeAndKill('server', { startsAgain: false });
    const killed = await subject.killStarts(kind, 1 + Math.floor(random() * MAX_KILLED_STARTS));
    await subject.startAndCheck();
    return `${written}; ${killed}`;
  }
  return subject.writeAndKill(kind);
}

/** A data folder, the instance that runs on it, and the writes that it has acknowledged. */
class Subject {
  readonly folder: string;
  readonly #options: RoundOptions;
  readonly #results: RoundResults;
  readonly #ledger: Ledger = newLedger();
  readonly #pids = new Set<number>();
  /** Writes that have not been checked yet. */
  #unchecked: Ledger = newLedger();
  #running: { launched: Launched; access: Access } | undefined;
  #failures = 0;

  constructor(folder: string, options: RoundOptions, results: RoundResults) {
    this.folder = folder;
    this.#options = options;
    this.#results = results;
  }

  /** Lets clients write for a random time, kills, restarts and checks. */
  async writeAndKill(victims: Victims, { startsAgain = true } = {}): Promise<string> {
    const { launched, access } = this.#running ?? (await this.#start());
    const writers = await startWriters(access, this.#unchecked);
    const afterMs = Math.round(this.#options.random() * WRITE_MS);
    await sleep(afterMs);
    writers.expectFailures();
    await this.#kill(launched, victims);
    await writers.stop();
    const writes = countWrites(this.#unchecked);
    if (victims === 'postmaster') await waitForRestart(launched, access.url);
    if (startsAgain) await this.startAndCheck();
    return `${victims} killed after ${afterMs} ms, ${writes} writes acknowledged`;
  }

  /** Starts `count` instances one after the other and kills each at a random time. */
  async killStarts(kind: keyof typeof START_MS, count: number): Promise<string> {
    const killed: string[] = [];
    for (let start = 0; start < count; start += 1) {
      const launched = launch(this.folder, this.#options.isInNamespace);
      const afterMs = Math.round(this.#options.random() * START_MS[kind]);
      const victims = pick(this.#options.random, START_VICTIMS);
      await Promise.race([sleep(afterMs), launched.exited]);
      // A start that ends before it is killed has failed.
      if (launched.child.exitCode !== null) throw new Error(`a start was refused:\n${launched.output()}`);
      await this.#kill(launched, victims);
      killed.push(`${victims} at ${afterMs} ms`);
    }
    return `start killed: ${killed.join(', ')}`;
  }

  /** Starts an instance unless one runs, and checks the writes since the last check. */
  async startAndCheck(): Promise<void> {
    const { launched, access } = this.#running ?? (await this.#start());
    await this.#requireNoOrphans(launched);
    await this.#check(access, this.#unchecked);
    this.#results.acknowledged += countWrites(this.#unchecked);
    addToLedger(this.#ledger, this.#unchecked);
    this.#unchecked = newLedger();
  }

  /** Checks all writes of all rounds again. */
  async checkAll(): Promise<void> {
    try {
      await this.startAndCheck();
      if (this.#running) await this.#check(this.#running.access, this.#ledger);
    } catch (error) {
      this.#fail(this.#results.refused, [`the last check: ${(error as Error).message}`]);
    }
  }

  /** Stops the instance and removes its data folder, which is kept after a failure. */
  async finish(): Promise<void> {
    this.#running?.launched.child.kill(this.#options.isInNamespace ? 'SIGKILL' : 'SIGTERM');
    await this.#running?.launched.exited;
    this.#running = undefined;
    await this.#requireNoOrphans();
    if (this.#failures === 0) await removeDataFolder(this.folder);
    else this.#options.print(`the data folder is kept: ${this.folder}`);
  }

  async #start(): Promise<{ launched: Launched; access: Access }> {
    const launched = launch(this.folder, this.#options.isInNamespace);
    try {
      const access = await waitUntilReady(launched);
      const pid = await readPostmasterPid(launched);
      if (pid !== undefined && this.#pids.has(pid)) this.#results.repeatedPids += 1;
      if (pid !== undefined) this.#pids.add(pid);
      this.#running = { launched, access };
      return this.#running;
    } catch (error) {
      this.#failures += 1;
      await kill(launched, 'all processes');
      throw error;
    }
  }

  async #kill(launched: Launched, victims: Victims): Promise<void> {
    this.#results.kills += 1;
    if (victims !== 'postmaster') this.#running = undefined;
    await kill(launched, victims);
  }

  async #check(access: Access, ledger: Ledger): Promise<void> {
    this.#fail(this.#results.lost, await findLostWrites(access, ledger));
  }

  async #requireNoOrphans(running?: Launched): Promise<void> {
    const deadline = Date.now() + ORPHAN_TIMEOUT_MS;
    let orphans = await findOrphans(this.folder, running);
    while (orphans.length > 0 && Date.now() < deadline) {
      await sleep(POLL_MS);
      orphans = await findOrphans(this.folder, running);
    }
    this.#fail(
      this.#results.orphans,
      orphans.map(({ pid, name }) => `${name} (pid ${pid})`),
    );
  }

  #fail(list: string[], messages: readonly string[]): void {
    this.#failures += messages.length;
    list.push(...messages);
  }
}
