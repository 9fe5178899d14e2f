/**
 * Measures how long a process's event loop runs without a pause, and answers its parent over IPC. Two figures:
 * - by the clock, from `monitorEventLoopDelay`: includes time in which the system ran other processes;
 * - in processor time of the event loop's thread: the server's own work. Verdicts use it, because the server, PostgreSQL,
 *   the attacker and the other clients share the machine.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 5;

/** The longest runs since the last reset, in milliseconds. */
export interface Stall {
  stallMs: number;
  stallByClockMs: number;
}

/** Starts measuring. A message of the parent resets the figures and is answered with those before it. */
export function startProbe(): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let longestMs = 0;
  let before = threadMs();
  // Fires after at most the interval and one turn of the loop, so a longer processor time is the work of that turn.
  setInterval(() => {
    const now = threadMs();
    longestMs = Math.max(longestMs, now - before - RESOLUTION_MS);
    before = now;
  }, RESOLUTION_MS).unref();
  process.on('message', () => {
    const stallByClockMs = Math.max(0, delay.max / 1e6 - RESOLUTION_MS);
    process.send?.({ stallMs: longestMs, stallByClockMs } satisfies Stall);
    delay.reset();
    longestMs = 0;
  });
  // The suite is gone, so the server stops, too, and with it its PostgreSQL.
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
}

/** Processor time of this thread, in milliseconds. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
