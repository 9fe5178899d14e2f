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

/** Returns a phrase for each missed goal; an empty list if the instance held. */
export function missedGoals(measured: Measured): string[] {
  const { attacked, goals, stallMs, incidents } = measured;
  const services = Object.entries(attacked);
  return [
    ...incidents,
    ...errorsOf(attacked),
    ...services.flatMap(([service, latency]) => latencyProblems(service, latency, measured)),
    ...(stallMs > MAX_STALL_MS
      ? [`event loop stalled ${Math.round(stallMs)} ms, allowed ${MAX_STALL_MS}`]
      : []),
    ...goals.flatMap(({ name, value, max }) => (value > max ? [`${name}: ${value}, allowed ${max}`] : [])),
  ];
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
