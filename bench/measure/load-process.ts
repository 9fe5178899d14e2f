/**
 * Load from a process of its own: neither its work nor its garbage is then the server's. Loads that are compared take
 * turns, so that whatever else the machine does meets all of them alike.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Rate } from './load.ts';

const WARM_UP_MS = 1000;

/** One turn: how long each call took, in milliseconds, and how long the turn was. */
interface Turn {
  latencies: Float64Array;
  ms: number;
}

/** A load that waits in its process. */
interface Load {
  run(ms: number): Promise<Turn>;
  stop(): Promise<void>;
}

/** Starts a script that calls {@link serveLoad}. @param input for {@link loadInput} */
export function startLoad(script: string, input: unknown): Load {
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = fork(script, [JSON.stringify(input)], { env, execArgv: [], serialization: 'advanced' });
  return {
    run: (ms) => ask(child, script, ms),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function ask(child: ChildProcess, script: string, ms: number): Promise<Turn> {
  const listening = new AbortController();
  const { signal } = listening;
  const answered = Promise.race([once(child, 'message', { signal }), once(child, 'exit', { signal })]);
  child.send(ms);
  const [answer] = await answered;
  listening.abort();
  if (typeof answer === 'object' && answer !== null) return answer as Turn;
  throw new Error(`${script} ended with code ${answer}`);
}

/** In the load's process: what {@link startLoad} was given. */
export function loadInput<Input>(): Input {
  return JSON.parse(process.argv[2] ?? '') as Input;
}

/** In the load's process: calls `once` from so many loops, as long as it is told to. `once` gets the loop's number. */
export function serveLoad(concurrency: number, once: (loop: number) => Promise<unknown>): void {
  process.on('message', async (ms: number) => {
    const latencies: number[] = [];
    const start = performance.now();
    const loop = async (number: number) => {
      while (performance.now() < start + ms) {
        const called = performance.now();
        await once(number);
        latencies.push(performance.now() - called);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, (_, number) => loop(number)));
    process.send?.({ latencies: Float64Array.from(latencies), ms: performance.now() - start });
  });
}

/** Runs loads in turns after a warm-up of each, and ends them. The rates are in the order of the loads. */
export async function measureInTurns(
  loads: readonly Load[],
  { turns, ms }: { turns: number; ms: number },
): Promise<Rate[]> {
  const taken: Turn[][] = loads.map(() => []);
  try {
    for (const load of loads) await load.run(WARM_UP_MS);
    for (let turn = 0; turn < turns; turn += 1) {
      for (const [index, load] of loads.entries()) taken[index]?.push(await load.run(ms));
    }
  } finally {
    await Promise.all(loads.map((load) => load.stop()));
  }
  return taken.map(rateOf);
}

/** Counts by the time that turns really took: calls that are under way at the end are waited for. */
export function rateOf(turns: readonly Turn[]): Rate {
  const ms = turns.reduce((sum, turn) => sum + turn.ms, 0);
  const sorted = Float64Array.from(turns.flatMap(({ latencies }) => [...latencies])).sort();
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { perSecond: (sorted.length * 1000) / ms, p50Ms: at(0.5), p99Ms: at(0.99) };
}
