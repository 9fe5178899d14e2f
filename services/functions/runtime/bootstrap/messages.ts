/** Messages from the process of a function to the server: one JSON object per line of standard output. */
import { deno } from './deno.ts';

/** A message. Lines that are none are output of the function itself. */
export type Message =
  | { type: 'ready' }
  /** The function cannot start. */
  | { type: 'failed'; error: string }
  /** Number of promises of `EdgeRuntime.waitUntil` that are pending. */
  | { type: 'pending'; count: number }
  | { type: 'log'; level: LogLevel; text: string; request?: string };

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

const { stdout } = deno;
const encoder = new TextEncoder();

/** Writes a message completely. Blocks while the server does not read. */
export function send(message: Message): void {
  let bytes = encoder.encode(`${JSON.stringify(message)}\n`);
  while (bytes.length > 0) bytes = bytes.subarray(stdout.writeSync(bytes));
}
