/** An instance as a child process, seen from the program that has started it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { GreenroomError } from './greenroom-error.ts';
import { EMBEDDED_VARIABLE, type InstanceDetails, type InstanceMessage } from './protocol.ts';

/** Variables by which a child process would recognise another parent, and options of the caller's Node.js. */
const VARIABLES_OF_CALLER = [
  'GREENROOM_LAUNCHER_PID',
  'npm_lifecycle_event',
  'NODE_OPTIONS',
  'NODE_CHANNEL_FD',
];

/** Number of lines that describe a process which has ended unexpectedly. */
const MAX_LAST_LINES = 20;

/** Settings as text, as in the environment; undefined removes a variable. */
export type InstanceSettings = Readonly<Record<string, string | undefined>>;

/** Options of {@link startInstanceProcess}. */
interface ProcessOptions {
  node: string;
  /** Entry point and arguments. */
  args: readonly string[];
  /** Override the environment of the caller. */
  settings: InstanceSettings;
  /** Receives each line of output. */
  onLine?: ((line: string) => void) | undefined;
  /** Ends the start; it then rejects. */
  signal?: AbortSignal | undefined;
}

/** A running instance. */
export interface InstanceProcess {
  readonly details: InstanceDetails;
  readonly child: ChildProcess;
  /** Resolves when the process has ended. */
  readonly ended: Promise<ProcessEnd>;
  /** Stops the instance like Ctrl-C; resolves when the process has ended. */
  close(): Promise<void>;
}

/** The end of a process. */
export interface ProcessEnd {
  /** Null if a signal has ended the process. */
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Starts the process; resolves when the instance accepts requests. Rejects with {@link GreenroomError}. */
export async function startInstanceProcess(options: ProcessOptions): Promise<InstanceProcess> {
  const { node, args, settings, onLine, signal } = options;
  if (signal?.aborted) throw aborted();
  const child = spawn(node, args, {
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    windowsHide: true,
  });
  const { lastLines, allRead } = readLines(child, onLine);
  // The event `close` does not follow if the parent has disconnected.
  const ended = endOf(child).then(async (end) => {
    await allRead;
    return end;
  });
  const close = async () => {
    if (child.connected) child.disconnect();
    await ended;
  };
  const stop = () => void close();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const message = await Promise.race([firstMessage(child), ended]);
    if (signal?.aborted) throw aborted();
    if (!('type' in message)) throw new GreenroomError('Error', describeEnd(message, lastLines));
    if (message.type === 'failed') throw new GreenroomError(message.name, message.message);
    return { details: message.instance, child, ended, close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

function aborted(): GreenroomError {
  return new GreenroomError('AbortError', 'the start was aborted');
}

function environment(settings: InstanceSettings): NodeJS.ProcessEnv {
  const own = Object.entries({ ...process.env, ...settings }).filter(
    ([name, value]) => value !== undefined && !VARIABLES_OF_CALLER.includes(name),
  );
  return { ...Object.fromEntries(own), [EMBEDDED_VARIABLE]: '1' };
}

/** Reads the output, so that the process never waits for a reader. Updates `lastLines`, the last lines of errors. */
function readLines(child: ChildProcess, onLine: ((line: string) => void) | undefined) {
  const lastLines: string[] = [];
  const reading = [child.stdout, child.stderr].map(async (stream) => {
    if (stream === null) return;
    for await (const line of createInterface({ input: stream })) {
      if (stream === child.stderr && lastLines.push(line) > MAX_LAST_LINES) lastLines.shift();
      onLine?.(line);
    }
  });
  return { lastLines, allRead: Promise.allSettled(reading) };
}

async function firstMessage(child: ChildProcess): Promise<InstanceMessage> {
  const [message] = await once(child, 'message');
  return message as InstanceMessage;
}

function endOf(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', (error) => {
      if (child.pid === undefined)
        reject(new GreenroomError('Error', `cannot run Node.js: ${error.message}`));
    });
  });
}

function describeEnd({ code, signal }: ProcessEnd, lastLines: readonly string[]): string {
  const reason = signal === null ? `exit code ${code}` : signal;
  return [`the instance ended during its start (${reason})`, ...lastLines].join('\n');
}
