/** Rounds of writing, killing, restoring and comparing. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Random, seededRandom } from '../crash/random.ts';
import { compareRestored, type RestoredTime } from './comparison.ts';
import { History, type LoadWindow, restorablePart } from './history.ts';
import { monitorLag } from './lag-monitor.ts';
import { type RunningLoad, startLoad } from './load.ts';
import { type End, planRound, type RoundPlan, type Victim } from './plan.ts';
import { killOne } from './processes.ts';
import { count, type Figures, newFigures, secondsText } from './report.ts';
import { LAG_MS, Subject, type TimeRange } from './subject.ts';

/** Every so many rounds, the archive is in a bucket. */
const S3_EVERY = 5;
/** Without kills for this time, the archive has the lag that is stated. */
const CALM_MS = 6000;
/** Time that a round of the backup may take on a busy machine, in addition to the lag. */
const TOLERANCE_MS = 4000;
/** Time until PostgreSQL ends whose data folder was removed: it checks that once a minute. */
const ORPHAN_TIMEOUT_MS = 90_000;
const ORPHAN_POLL_MS = 500;

/** Options of {@link runRounds}. */
interface RoundOptions {
  rounds: number;
  usesS3: boolean;
  random: Random;
  print: (line: string) => void;
}

/** An instance, and the history of its data. */
interface Tried {
  subject: Subject;
  history: History;
}

/** Runs all rounds. After a round that failed, its instance is replaced by a new one. */
export async function runRounds(options: RoundOptions): Promise<Figures> {
  const figures = newFigures();
  const tried = new Map<'folder' | 'S3', Tried>();
  for (let round = 1; round <= options.rounds; round += 1) {
    const plan = planRound(options.random);
    const kind = options.usesS3 && round % S3_EVERY === 0 ? 'S3' : 'folder';
    const one = tried.get(kind) ?? { subject: await Subject.create(kind), history: new History() };
    tried.set(kind, one);
    const isClean = await new Round({ ...one, plan, figures, number: round, print: options.print }).run();
    figures.rounds += 1;
    if (isClean) continue;
    tried.delete(kind);
    await finish(one, figures, { isKept: true, print: options.print });
  }
  for (const one of tried.values()) await finish(one, figures, { isKept: false, print: options.print });
  return figures;
}

async function finish(
  { subject, history }: Tried,
  figures: Figures,
  { isKept, print }: { isKept: boolean; print: (line: string) => void },
): Promise<void> {
  figures.acknowledged += history.acknowledged;
  try {
    // A start stops a PostgreSQL that a killed server has left.
    await subject.start();
    await subject.stop();
    const deadline = Date.now() + ORPHAN_TIMEOUT_MS;
    while ((await subject.orphans()).length > 0 && Date.now() < deadline) await sleep(ORPHAN_POLL_MS);
    for (const orphan of await subject.orphans()) figures.broken.push(`process left: ${orphan}`);
  } catch (error) {
    figures.broken.push(`the last start: ${(error as Error).message}`);
  }
  await subject.finish(isKept);
  if (isKept) print(`  the folder is kept: ${subject.folder}`);
}

/** Options of a round. */
interface SingleRoundOptions extends Tried {
  plan: RoundPlan;
  number: number;
  figures: Figures;
  print: (line: string) => void;
}

class Round {
  readonly #options: SingleRoundOptions;
  readonly #random: Random;
  #isClean = true;
  /** Time of the last kill or start, and whether the backup has reported since that it goes on. */
  #disturbedAt = 0;
  #isShipping = false;
  /** Figures of the round. */
  readonly #details: string[] = [];

  constructor(options: SingleRoundOptions) {
    this.#options = options;
    this.#random = seededRandom(options.plan.seed);
  }

  /** Returns whether no promise was broken. */
  async run(): Promise<boolean> {
    const { plan, number, subject, print } = this.#options;
    const kills = plan.kills.map(({ victim }) => victim).join(', ') || 'nothing';
    print(
      `round ${number} (${subject.place.kind}): ${plan.loadMs} ms of load, kills ${kills}, ends with ${plan.end}, ` +
        `restores ${plan.target} ${plan.place}`,
    );
    try {
      await this.#timed('start', () => this.#start());
      const window = await this.#timed('load', () => this.#load());
      const ranges = await subject.restorable();
      this.#checkCoverage(window, ranges);
      await this.#restore(window, ranges);
    } catch (error) {
      this.#break((error as Error).message);
    }
    print(`  ${this.#details.join(', ')}`);
    return this.#isClean;
  }

  async #timed<T>(name: string, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.#details.push(`${name} ${secondsText(performance.now() - start)}`);
    }
  }

  async #start(): Promise<void> {
    const { plan, subject, history, figures } = this.#options;
    if (subject.running === undefined) {
      if (plan.usesNewPort) await subject.useNewPort();
      for (const { afterMs, victims } of plan.killedStarts) {
        count(figures.kills, 'start');
        await subject.killStart(afterMs, victims);
      }
      await subject.start();
      this.#disturbedAt = Date.now();
    }
    const { era } = history;
    if (era.coveredFrom !== undefined) return;
    await subject.waitForBackup(era.startedAt);
    era.coveredFrom = Date.now();
  }

  /** Runs the clients and the kills until the end of the load. */
  async #load(): Promise<LoadWindow> {
    const { plan, subject, history } = this.#options;
    const { access } = await subject.start();
    const { era } = history;
    const monitor = monitorLag(access.url);
    const from = Date.now();
    const load = startLoad(access, era.journal, plan.seed);
    await this.#killDuring(load, from + plan.loadMs);
    if (plan.end !== 'none' && plan.end !== 'stop') load.expectFailures();
    // A request during a stop may be refused.
    const failures = plan.end === 'stop' ? await load.stop() : [];
    const to = Date.now();
    await this.#end(plan.end);
    failures.push(...(await load.stop()));
    await monitor.stop();
    for (const failure of failures) this.#break(`a request failed without a reason: ${failure}`);
    this.#isShipping = monitor.until() > this.#disturbedAt;
    era.contentUntil = Math.max(era.contentUntil, monitor.until());
    if (plan.end !== 'none' && (plan.end !== 'stop' || plan.kills.length > 0))
      era.ends.push({ time: Date.now(), contentUntil: era.contentUntil });
    return history.addWindow({ from, to });
  }

  async #killDuring(load: RunningLoad, deadline: number): Promise<void> {
    const { plan, subject, figures } = this.#options;
    const { launched } = await subject.start();
    const from = Date.now();
    const kills = plan.kills.toSorted((left, right) => left.at - right.at);
    for (const { victim, at } of kills) {
      await sleep(Math.max(0, from + at * plan.loadMs - Date.now()));
      if (victim === 'postmaster' || victim === 'backend') load.expectFailures();
      const isKilled = await killOne(launched, victim, { random: this.#random, deadline });
      if (isKilled) this.#killed(victim, figures);
      if (victim === 'postmaster') await subject.waitForPostgres();
    }
    await sleep(Math.max(0, deadline - Date.now()));
  }

  #killed(victim: Victim, figures: Figures): void {
    count(figures.kills, victim);
    if (victim !== 'maintenance') this.#disturbedAt = Date.now();
  }

  async #end(end: End): Promise<void> {
    const { subject, figures } = this.#options;
    if (end === 'none') return;
    if (end === 'stop') return subject.stop();
    count(figures.kills, end);
    await subject.kill(end);
  }

  /** Checks that everything before the lag can be restored. */
  #checkCoverage({ from, to, era }: LoadWindow, ranges: readonly TimeRange[]): void {
    const { plan, figures } = this.#options;
    const last = ranges.at(-1);
    if (last === undefined) throw new Error('nothing can be restored');
    // A stop stores the rest, unless the process that stores it was killed.
    const isComplete = plan.end === 'stop' && plan.kills.length === 0;
    if (isComplete) era.contentUntil = to;
    era.coveredTo = Math.max(era.coveredTo, last.to);
    // While the instance did not run, nothing was missing.
    const lags = [last.to, era.contentUntil].map((until) => Math.max(0, to - Math.max(from, until)));
    const [log = 0, content = 0] = lags;
    if (plan.end !== 'none' && plan.end !== 'stop') {
      figures.logLags.push(log);
      figures.contentLags.push(content);
    }
    this.#details.push(`lag ${secondsText(log)}, of objects at most ${secondsText(content)}`);
    const isCalm = to - this.#disturbedAt > CALM_MS && this.#isShipping;
    const limit = isComplete ? 0 : LAG_MS + TOLERANCE_MS;
    if ((isCalm || isComplete) && Math.max(log, content) > limit)
      this.#break(`after the lag, the log has ${log} ms and objects ${content} ms that cannot be restored`);
    if (last.from > Math.max(from, era.coveredFrom ?? 0))
      this.#break(
        `the times until ${timeText(last.from)} of the load since ${timeText(from)} cannot be restored`,
      );
  }

  async #restore(window: LoadWindow, ranges: readonly TimeRange[]): Promise<void> {
    const { plan, subject, history, figures, number } = this.#options;
    const restored = this.#chooseTime(window, ranges);
    const state =
      restored.time === undefined ? ['--latest'] : ['--to-time', new Date(restored.time).toISOString()];
    const folder = plan.place === 'next to it' ? `${subject.dataFolder}-restored` : undefined;
    if (plan.place === 'after removal') await subject.remove(subject.dataFolder);
    const outcome = await subject.restore(state, folder);
    if (outcome.error !== undefined) throw new Error(`${state.join(' ')} was not restored: ${outcome.error}`);
    count(figures.restores, plan.target);
    figures.restoreTimes.push(outcome.milliseconds);
    this.#details.push(`restore ${secondsText(outcome.milliseconds)}`);
    const startedAt = Date.now();
    const options = { subject, folder, restored, output: outcome.output, random: this.#random };
    const {
      state: found,
      broken,
      unstoredObjects,
    } = await this.#timed('comparison', () => compareRestored(options));
    figures.unstoredObjects += unstoredObjects;
    for (const each of broken) this.#break(`${state.join(' ')}: ${each}`);
    if (folder === undefined) history.beginEra(startedAt, found);
    else if (broken.length > 0) await subject.keep(folder, `restored-${number}`);
    else await subject.remove(folder);
  }

  /** Falls back to the latest state if no time of the round can be restored. */
  #chooseTime(window: LoadWindow, ranges: readonly TimeRange[]): RestoredTime {
    const { plan, history } = this.#options;
    const latest = {
      time: undefined,
      era: history.era,
      bounds: { after: ranges.at(-1)?.to ?? 0, before: Infinity },
    };
    if (plan.target === 'latest') return latest;
    const index = Math.floor(plan.chosenRound * history.windows.length);
    const chosen = (plan.target === 'earlier' ? history.windows[index] : undefined) ?? window;
    const part = restorablePart(chosen);
    if (part === undefined) return latest;
    const time = Math.round(part.from + plan.chosenTime * (part.to - part.from));
    return { time, era: chosen.era, bounds: { after: time, before: time } };
  }

  #break(message: string): void {
    const { number, figures, print } = this.#options;
    this.#isClean = false;
    figures.broken.push(`round ${number}: ${message}`);
    print(`  broken: ${message}`);
  }
}

function timeText(time: number): string {
  return new Date(time).toISOString();
}
