/** Decides whether a process has exceeded a limit. */
import type { Usage } from './usage.ts';

/** Limits of one process. */
export interface WorkerLimits {
  /** Memory of the function; that of Deno itself is added. */
  memoryBytes: number;
  /** Processor time of one request. */
  cpuMs: number;
  /** Lifetime of a process. */
  lifeMs: number;
  /** Time within which a response must begin. */
  responseMs: number;
  /** Time after the last request at which a process ends. */
  idleMs: number;
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
export type Excess = 'memory' | 'cpu' | 'threads';

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
