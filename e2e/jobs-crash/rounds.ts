/** Rounds of writing, killing, starting again and counting. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Victims } from '../crash/launch.ts';
import { pick, type Random } from '../crash/random.ts';
import { type Journal, type Load, newJournal, type Surroundings } from './load.ts';
import type { Subject } from './subject.ts';

const VICTIMS: readonly Victims[] = ['server', 'postmaster', 'server and postmaster', 'all processes'];
/** Clients write for at least, and at most. */
const WRITE_MS = [200, 2500] as const;
/** Time after the last round within which everything has to arrive. */
const SETTLE_MS = 120_000;
const POLL_MS = 200;
const MAX_NAMED = 5;

/** Options of {@link runRounds}. */
interface RoundOptions {
  loads: readonly Load[];
  subject: Subject;
  rounds: number;
  random: Random;
  print: (line: string) => void;
}

/** Results of {@link runRounds}. */
interface RoundResults {
  kills: number;
  acknowledged: number;
  /** Effects that happened more than once although this is permitted. */
  repeated: number;
  /** Broken promises. */
  broken: string[];
}

/** Runs the rounds, waits until the instance has done all work, and compares it with the journals. */
export async function runRounds({
  loads,
  subject,
  rounds,
  random,
  print,
}: RoundOptions): Promise<RoundResults> {
  const journals = new Map(loads.map((load) => [load, newJournal()]));
  const broken: string[] = [];
  await subject.start();
  for (let round = 1; round <= rounds; round += 1) {
    const victims = pick(random, VICTIMS);
    const afterMs = Math.round(WRITE_MS[0] + random() * (WRITE_MS[1] - WRITE_MS[0]));
    const clients = startClients(subject, journals);
    await sleep(afterMs);
    clients.expectFailures();
    await subject.kill(victims);
    await clients.stop();
    await subject.start();
    broken.push(
      ...(await compareAll(subject, journals, 'exactly once')).broken.map(
        (each) => `round ${round}: ${each}`,
      ),
    );
    print(
      `round ${round}: ${victims} killed after ${afterMs} ms, ${acknowledged(journals)} writes acknowledged`,
    );
  }
  const last = await settle(subject, journals);
  return {
    kills: rounds,
    acknowledged: acknowledged(journals),
    repeated: last.repeated,
    broken: [...new Set([...broken, ...last.broken, ...(await remaining(subject))])],
  };
}

/** Compares until no promise is broken, or time is up: requests may still be on their way. */
async function settle(subject: Subject, journals: Journals): Promise<Comparison> {
  const deadline = Date.now() + SETTLE_MS;
  for (;;) {
    const comparison = await compareAll(subject, journals);
    if (comparison.broken.length === 0 || Date.now() > deadline) return comparison;
    await sleep(POLL_MS);
  }
}

/** Processes that a killed instance has left. */
async function remaining(subject: Subject): Promise<string[]> {
  const deadline = Date.now() + 10_000;
  let orphans = await subject.orphans();
  while (orphans.length > 0 && Date.now() < deadline) {
    await sleep(POLL_MS);
    orphans = await subject.orphans();
  }
  return orphans.map((name) => `process left: ${name}`);
}

type Journals = ReadonlyMap<Load, Journal>;

interface Comparison {
  repeated: number;
  broken: string[];
}

async function compareAll(
  subject: Subject,
  journals: Journals,
  only?: Load['promised'],
): Promise<Comparison> {
  const { surroundings, close } = await subject.connect();
  const total: Comparison = { repeated: 0, broken: [] };
  for (const [load, journal] of journals) {
    if (only !== undefined && load.promised !== only) continue;
    const { repeated, broken } = await compare(load, journal, surroundings);
    total.repeated += repeated;
    total.broken.push(...broken);
  }
  await close();
  return total;
}

async function compare(load: Load, journal: Journal, surroundings: Surroundings): Promise<Comparison> {
  const counts = (await load.count?.(surroundings)) ?? new Map<string, number>();
  const finished = await load.finished?.(surroundings);
  const repeated = [...counts].filter(([, count]) => count > 1).map(([id]) => id);
  const broken: [string, string[]][] = [
    ['lost', load.count ? [...journal.acknowledged].filter((id) => !counts.has(id)) : []],
    ['after a rollback', [...journal.rolledBack].filter((id) => counts.has(id))],
    ['repeated', load.promised === 'exactly once' ? repeated : []],
    ['unfinished again', finished ? [...journal.finished].filter((id) => !finished.has(id)) : []],
    ...((await load.violations?.(surroundings)) ?? []),
  ];
  return {
    repeated: load.promised === 'exactly once' ? 0 : repeated.length,
    broken: broken
      .filter(([, ids]) => ids.length > 0)
      .map(([kind, ids]) => `${load.name}: ${ids.length} ${kind}: ${ids.slice(0, MAX_NAMED).join(', ')}`),
  };
}

function acknowledged(journals: Journals): number {
  return [...journals.values()].reduce(
    (sum, journal) => sum + journal.acknowledged.size + journal.finished.size,
    0,
  );
}

/** Starts the clients of all loads; each repeats its step until it is stopped or the instance is killed. */
function startClients(subject: Subject, journals: Journals) {
  let isStopped = false;
  let mayFail = false;
  const repeat = async (step: (to: Surroundings) => Promise<void>) => {
    try {
      const { surroundings, close } = await subject.connect();
      while (!isStopped) await step(surroundings);
      await close();
    } catch (error) {
      if (!mayFail) throw error;
    }
  };
  const clients = [...journals].flatMap(([load, journal]) => [
    ...Array.from({ length: load.writers }, () => repeat((to) => load.write(to, journal))),
    ...(load.work ? [repeat((to) => load.work?.(to, journal) ?? Promise.resolve())] : []),
  ]);
  const ended = Promise.all(clients);
  // Observed by `stop`.
  ended.catch(() => undefined);
  return {
    /** From now on, a step may fail. */
    expectFailures() {
      mayFail = true;
    },
    /** Resolves when each client has ended. Rejects if one failed before failures were expected. */
    async stop() {
      isStopped = true;
      await ended;
    },
  };
}
