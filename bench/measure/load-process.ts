/**
 * Generates load in a separate process, so that neither its work nor its garbage affects the server. Loads that are
 * compared alternate, so that other activity on the machine affects all of them equally.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Rate } from './load.ts';

const WARM_UP_MS = 1000;

/** One round: the duration of each call and of the round, in milliseconds. */
interface Round {
  latencies: Float64Array;
  ms: number;
}

/** A load that waits in its process. */
interface Load {
  run(ms: number): Promise<Round>;
  stop(): Promise<void>;
}

/** Starts a script that calls {@link serveLoad}. @param input passed to {@link loadInput} */
export function startLoad(script: string, input: unknown): Load {
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = fork(script, [JSON.stringify(input)], { env, execArgv: [], serialization: 'advanced' });
  return {
    run: (ms) => runRound(child, script, ms),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function runRound(child: ChildProcess, script: string, ms: number): Promise<Round> {
  const listening = new AbortController();
  const { signal } = listening;
  const response = Promise.race([once(child, 'message', { signal }), once(child, 'exit', { signal })]);
  child.send(ms);
  const [result] = await response;
  listening.abort();
  if (typeof result === 'object' && result !== null) return result as Round;
  throw new Error(`${script} exited with code ${result}`);
}

/** Returns the input of {@link startLoad}. Called in the load's process. */
export function loadInput<Input>(): Input {
  return JSON.parse(process.argv[2] ?? '') as Input;
}

/**
 * Runs `call` in `concurrency` loops for the requested time, with the number of the loop. Called in the load's
 * process.
 */
export function serveLoad(concurrency: number, call: (loop: number) => Promise<unknown>): void {
  process.on('message', async (ms: number) => {
    const latencies: number[] = [];
    const start = performance.now();
    const loop = async (number: number) => {
      while (performance.now() < start + ms) {
        const startedAt = performance.now();
        await call(number);
        latencies.push(performance.now() - startedAt);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, (_, number) => loop(number)));
    process.send?.({ latencies: Float64Array.from(latencies), ms: performance.now() - start });
  });
}

/** Runs loads alternately after a warm-up of each, and stops them. The rates are in the order of the loads. */
export async function measureAlternately(
  loads: readonly Load[],
  { rounds, ms }: { rounds: number; ms: number },
): Promise<Rate[]> {
  const results: Round[][] = loads.map(() => []);
  try {
    for (const load of loads) await load.run(WARM_UP_MS);
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, load] of loads.entries()) results[index]?.push(await load.run(ms));
    }
  } finally {
    await Promise.all(loads.map((load) => load.stop()));
  }
  return results.map(rateOf);
}

/**
 * Calculates rates from the actual duration of the rounds, because a round waits for the calls in progress at its end.
 */
export function rateOf(rounds: readonly Round[]): Rate {
  const ms = rounds.reduce((sum, round) => sum + round.ms, 0);
  const sorted = Float64Array.from(rounds.flatMap(({ latencies }) => [...latencies])).sort();
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { perSecond: (sorted.length * 1000) / ms, p50Ms: at(0.5), p99Ms: at(0.99) };
}
