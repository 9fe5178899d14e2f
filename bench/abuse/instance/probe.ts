/**
 * Measures how long the event loop of a process runs without a pause, and reports to the parent over IPC. Two figures:
 * - wall-clock time, from `monitorEventLoopDelay`, which includes time in which the system ran other processes;
 * - processor time of the event loop's thread, which is the server's own work. Verdicts use it, because the server,
 * PostgreSQL, the attacker and the other clients share the machine.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 5;

/** The longest runs since the last reset, in milliseconds. */
export interface Stall {
  stallMs: number;
  stallByClockMs: number;
}

/** Starts the measurement. Responds to each message of the parent with the figures, and resets them. */
export function startProbe(): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let longestMs = 0;
  let before = threadMs();
  // The timer fires after at most the interval and one turn of the loop, so excess processor time is the work of that
  // turn.
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
  // When the suite has ended, the server stops as well, together with its PostgreSQL.
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
}

/** Returns the processor time of this thread in milliseconds. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
