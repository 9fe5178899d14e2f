/** `greenroom functions logs`: prints what functions have printed, and further lines until Ctrl-C. */
import type { ReadableStream } from 'node:stream/web';
import { styleText } from 'node:util';
import type { ProjectOptions } from '../settings.ts';
import type { InstanceChoice } from './instance-options.ts';
import { openManagementApi } from './management-api.ts';

/** Exit code after Ctrl-C. */
const INTERRUPTED = 130;

/** A line of a function. */
interface Line {
  time: string;
  level: 'debug' | 'info' | 'warn' | 'error';
  function: string;
  request: string | null;
  message: string;
}

/** Options of {@link printFunctionLogs}. */
interface LogsOptions {
  /** Default: all functions. */
  name: string | undefined;
  follows: boolean;
  /** Maximum number of lines that exist already. */
  limit: number;
  format: 'text' | 'stream-json';
  instance: InstanceChoice;
}

/** Prints lines. Returns the exit code: 130 after Ctrl-C. */
export async function printFunctionLogs(options: LogsOptions, project: ProjectOptions): Promise<number> {
  const { name, follows, limit, format, instance } = options;
  const api = await openManagementApi(instance, project);
  const query = new URLSearchParams({ limit: String(limit), follow: String(follows), ...(name && { name }) });
  const interruption = interruptible();
  const response = await api.call({ method: 'GET', path: `logs?${query}` }, interruption.signal);
  return printLines(response, { format, interruption });
}

/** A wait that Ctrl-C ends. */
export interface Interruption {
  signal: AbortSignal;
  /** 130 after Ctrl-C, otherwise 0. */
  code(): number;
}

/** Lets SIGINT and SIGTERM end a wait instead of the process. */
export function interruptible(): Interruption {
  const stop = new AbortController();
  let code = 0;
  process.once('SIGTERM', () => stop.abort());
  process.once('SIGINT', () => {
    code = INTERRUPTED;
    stop.abort();
  });
  return { signal: stop.signal, code: () => code };
}

/** Prints the lines of a response until it ends, or until Ctrl-C. Returns the exit code. */
export async function printLines(
  { body }: Response,
  { format, interruption }: { format: LogsOptions['format']; interruption: Interruption },
): Promise<number> {
  if (body === null) return 0;
  try {
    for await (const line of linesOf(body as ReadableStream<Uint8Array>)) {
      const text = format === 'text' ? textOf(JSON.parse(line) as Line) : line;
      process.stdout.write(`${text}\n`);
    }
  } catch (error) {
    if (!interruption.signal.aborted)
      throw new Error('the instance has ended the connection.', { cause: error });
  }
  return interruption.code();
}

/** Yields the lines that are not empty. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let partial = '';
  for await (const chunk of body) {
    const lines = (partial + decoder.decode(chunk, { stream: true })).split('\n');
    partial = lines.pop() ?? '';
    yield* lines.filter((line) => line !== '');
  }
}

const COLORS = { debug: 'gray', info: 'cyan', warn: 'yellow', error: 'red' } as const;

function textOf({ time, level, function: name, request, message }: Line): string {
  const colored = styleText(COLORS[level], level.padEnd(5), { stream: process.stdout });
  return [time, colored, name, ...(request === null ? [] : [request]), printable(message)].join('  ');
}

/** Removes control characters: functions log text of clients, which could contain commands for the terminal. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters, which are removed.
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
}
