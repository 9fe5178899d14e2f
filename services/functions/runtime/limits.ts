/** Decides whether a process has exceeded a limit. */

import type { Usage } from '../process-usage.ts';
import type { FunctionsConfig } from '../settings.ts';

/** Limits of one process. */
export interface WorkerLimits {
  /** Memory of the function; that of Deno itself is added. */
  memoryBytes: number;
  /** Files that it has written. */
  diskBytes: number;
  /** Processor time of one request. */
  cpuMs: number;
  /** Time within which the function must have registered its handler. */
  startMs: number;
  /** Lifetime of a process. */
  lifeMs: number;
  /** Time within which a response must begin. */
  responseMs: number;
}

const START_MS = 30_000;
/** The longest time of a timer. */
const UNLIMITED_MS = 2 ** 31 - 1;

/** Returns the limits of a function's process. While it is inspected, it may stand still for any time. */
export function limitsOf(name: string, config: FunctionsConfig): WorkerLimits {
  const { memoryBytes, diskBytes, cpuMs, lifeMs, responseMs, inspector } = config;
  if (inspector.function !== name)
    return { memoryBytes, diskBytes, cpuMs, lifeMs, responseMs, startMs: START_MS };
  const unlimited = { lifeMs: UNLIMITED_MS, responseMs: UNLIMITED_MS, startMs: UNLIMITED_MS };
  return { memoryBytes, diskBytes, cpuMs: Infinity, ...unlimited };
}

/** Memory of Deno itself, before a function has used any. */
const RUNTIME_BYTES = 128 * 1024 * 1024;
const MAX_THREADS = 128;
/** Requests that run at the same time share their processor time, up to this number. */
const MAX_SHARES = 5;

/** The state of a process when its usage is judged. */
interface Load {
  requests: number;
  /** Processor time of the process when it last answered a request, or started, in milliseconds. */
  cpuMsAtLastAnswer: number;
}

/** Which limit a process has exceeded. */
export type Excess = 'memory' | 'cpu' | 'threads' | 'disk';

/**
 * Returns the limit that a process has exceeded. Processor time is counted since the last answer, because it cannot be
 * attributed to one of several requests.
 */
export function excessOf(usage: Usage, load: Load, limits: WorkerLimits): Excess | undefined {
  if (usage.residentBytes > limits.memoryBytes + RUNTIME_BYTES) return 'memory';
  if (usage.threads > MAX_THREADS) return 'threads';
  const shares = Math.min(Math.max(load.requests, 1), MAX_SHARES);
  return usage.cpuMs - load.cpuMsAtLastAnswer > limits.cpuMs * shares ? 'cpu' : undefined;
}
