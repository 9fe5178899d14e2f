/** Formats the output of the suite: one row per quiet window and per attack, with missed goals below it. Pure. */
import type { Latency } from './latency.ts';

const NAME_WIDTH = 30;
const CELL_WIDTH = 10;

/** Figures of the server process and of PostgreSQL in one window. */
export interface ServerFigures {
  /** Longest run of the event loop without a pause, in milliseconds: of processor time, and by the clock. */
  stallMs: number;
  stallByClockMs: number;
  /** Peak memory in MB, of the server with its image workers and of all PostgreSQL processes. */
  serverMb: number;
  postgresMb: number;
}

/** A row of the table. */
export interface Row {
  name: string;
  latencies: Record<string, Latency>;
  server: ServerFigures;
  /** Text of the last cell, e.g. `held`. */
  verdict: string;
  /** Lines to print below the row. */
  notes: readonly string[];
}

/** Returns the head of the table. @param services columns in this order */
export function tableHead(services: readonly string[]): string {
  const cells = [...services, 'stall', 'server', 'postgres'].map(cell);
  return `${'p50/p99 in ms'.padEnd(NAME_WIDTH)}${cells.join('')}  verdict`;
}

/** Returns a row with its notes as lines. */
export function tableRow(services: readonly string[], row: Row): string {
  const { name, latencies, server, verdict, notes } = row;
  const { stallMs, stallByClockMs, serverMb, postgresMb } = server;
  const cells = [
    ...services.map((service) => latencyText(latencies[service])),
    `${duration(stallMs)}/${duration(stallByClockMs)}`,
    `${Math.round(serverMb)} MB`,
    `${Math.round(postgresMb)} MB`,
  ];
  const first = `${name.padEnd(NAME_WIDTH)}${cells.map(cell).join('')}  ${verdict}`;
  return [first, ...notes.map((note) => `    ${note}`)].join('\n');
}

function latencyText(latency: Latency | undefined): string {
  if (latency === undefined) return '–';
  const { p50Ms, p99Ms, errors } = latency;
  return `${duration(p50Ms)}/${duration(p99Ms)}${errors > 0 ? '!' : ''}`;
}

/** Formats whole milliseconds, and seconds from ten seconds up. */
function duration(ms: number): string {
  return ms < 9999.5 ? String(Math.round(ms)) : `${Math.round(ms / 1000)}s`;
}

function cell(text: string): string {
  return ` ${text.padStart(CELL_WIDTH - 1)}`;
}
