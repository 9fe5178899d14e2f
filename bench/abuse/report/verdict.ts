/** Decides whether an instance held against an attack. Pure. */
import type { Latency } from './latency.ts';

/** Latencies up to here pass, whatever the quiet value is: a few milliseconds more are noise. */
const FLOOR_MS = 25;
/** How much slower other clients may become. */
const FACTOR = 5;
/** The same where the attacker's process competes for the processors of the machine. */
const COMPETING_FACTOR = 10;
/** From this share of a processor on it does. */
const COMPETING_CORES = 0.25;
/** Longest work of the server's event loop without a pause. */
const MAX_STALL_MS = 50;

/** An upper bound that an attack sets itself, e.g. on delivered mails. */
export interface Goal {
  name: string;
  value: number;
  atMost: number;
}

/** Figures of one attack. */
export interface Measured {
  /** By service, during the attack and in the quiet window before it. */
  attacked: Record<string, Latency>;
  quiet: Record<string, Latency>;
  /** Processors that the attacker's own process kept busy, e.g. 0.5. */
  attackerCores: number;
  /** Longest run of the server's event loop, in milliseconds of processor time. */
  stallMs: number;
  goals: readonly Goal[];
  /** Events that fail an attack in any case, e.g. the end of the server process. */
  incidents: readonly string[];
}

/** Returns each goal that was missed as a phrase; none if the instance held. */
export function missedGoals(measured: Measured): string[] {
  const { attacked, goals, stallMs, incidents } = measured;
  const services = Object.entries(attacked);
  return [
    ...incidents,
    ...errorsOf(attacked),
    ...services.flatMap(([service, latency]) => slownessOf(service, latency, measured)),
    ...(stallMs > MAX_STALL_MS
      ? [`event loop stalled ${Math.round(stallMs)} ms, allowed ${MAX_STALL_MS}`]
      : []),
    ...goals.flatMap(({ name, value, atMost }) =>
      value > atMost ? [`${name}: ${value}, allowed ${atMost}`] : [],
    ),
  ];
}

/** Highest p99 that passes, in milliseconds. */
export function allowedP99Ms(quietP99Ms: number, attackerCores: number): number {
  const isCompeting = attackerCores >= COMPETING_CORES;
  return Math.max(FLOOR_MS, quietP99Ms * (isCompeting ? COMPETING_FACTOR : FACTOR));
}

/** Failed operations of each service as a phrase. */
export function errorsOf(latencies: Record<string, Latency>): string[] {
  return Object.entries(latencies).flatMap(([service, { errors, count, reasons }]) =>
    errors === 0 ? [] : [`${service}: ${errors} of ${count} failed (${reasons.slice(0, 3).join(', ')})`],
  );
}

function slownessOf(service: string, { p99Ms }: Latency, { quiet, attackerCores }: Measured): string[] {
  const allowed = allowedP99Ms(quiet[service]?.p99Ms ?? 0, attackerCores);
  if (p99Ms <= allowed) return [];
  return [`${service}: p99 ${Math.round(p99Ms)} ms, allowed ${Math.round(allowed)}`];
}
