/** Decides whether an instance withstood an attack. Pure. */
import type { Latency } from './latency.ts';

/** Latencies up to this value always pass, because differences of a few milliseconds are noise. */
const FLOOR_MS = 25;
/** Allowed ratio of latencies during an attack and in quiet windows. */
const FACTOR = 5;
/** The ratio if the attacker's process competes for the processors of the machine. */
const COMPETING_FACTOR = 10;
/** Processors that the attacker must use to count as competing. */
const COMPETING_CORES = 0.25;
/** Maximum processor time of the server's event loop without a pause. */
const MAX_STALL_MS = 50;
/**
 * An attack fails by delays if most of this number of windows have some: the 99th percentile of a window is its slowest operation,
 * which something else than the attack may have delayed.
 */
const MAX_WINDOWS = 3;

/** An upper bound that an attack sets itself, e.g. on delivered mails. */
export interface Goal {
  name: string;
  value: number;
  max: number;
}

export interface Measured {
  /** Latencies by service, during the attack and in the quiet windows before it. */
  attacked: Record<string, Latency>;
  baseline: Record<string, Latency>;
  /** Average number of processors that the attacker's process used, e.g. 0.5. */
  attackerCores: number;
  /** Longest run of the server's event loop, in milliseconds of processor time. */
  stallMs: number;
  goals: readonly Goal[];
  /** Events that count as a failure in any case, e.g. the end of the server process. */
  incidents: readonly string[];
}

/** Missed goals of a window, a phrase each. */
export interface Missed {
  /** An attack with one of these has failed. */
  faults: string[];
  /** Slow operations of other clients, and a stalled event loop. */
  delays: string[];
}

/** Returns the missed goals of a window. */
export function missedGoals(measured: Measured): Missed {
  const { attacked, goals, stallMs, incidents } = measured;
  const services = Object.entries(attacked);
  return {
    faults: [
      ...incidents,
      ...errorsOf(attacked),
      ...goals.flatMap(({ name, value, max }) => (value > max ? [`${name}: ${value}, allowed ${max}`] : [])),
    ],
    delays: [
      ...services.flatMap(([service, latency]) => latencyProblems(service, latency, measured)),
      ...(stallMs > MAX_STALL_MS
        ? [`event loop stalled ${Math.round(stallMs)} ms, allowed ${MAX_STALL_MS}`]
        : []),
    ],
  };
}

/** Decides after the windows of an attack so far: `again` if another one is needed. */
export function verdictOf(windows: readonly Missed[]): 'held' | 'FAILED' | 'again' {
  if (windows.some(({ faults }) => faults.length > 0)) return 'FAILED';
  const delayed = windows.filter(({ delays }) => delays.length > 0).length;
  if (delayed > MAX_WINDOWS / 2) return 'FAILED';
  const isHeld = delayed === 0 || windows.length - delayed > MAX_WINDOWS / 2;
  return isHeld ? 'held' : 'again';
}

/** Returns the highest p99 that passes, in milliseconds. */
export function allowedP99Ms(baselineP99Ms: number, attackerCores: number): number {
  const isCompeting = attackerCores >= COMPETING_CORES;
  return Math.max(FLOOR_MS, baselineP99Ms * (isCompeting ? COMPETING_FACTOR : FACTOR));
}

/** Returns a phrase for each service with failed operations. */
export function errorsOf(latencies: Record<string, Latency>): string[] {
  return Object.entries(latencies).flatMap(([service, { errors, count, reasons }]) =>
    errors === 0 ? [] : [`${service}: ${errors} of ${count} failed (${reasons.slice(0, 3).join(', ')})`],
  );
}

function latencyProblems(
  service: string,
  { p99Ms }: Latency,
  { baseline, attackerCores }: Measured,
): string[] {
  const allowed = allowedP99Ms(baseline[service]?.p99Ms ?? 0, attackerCores);
  if (p99Ms <= allowed) return [];
  return [`${service}: p99 ${Math.round(p99Ms)} ms, allowed ${Math.round(allowed)}`];
}
