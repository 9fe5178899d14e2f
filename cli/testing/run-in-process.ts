/** Runs command lines in the process of the tests, which takes a fraction of the time that separate processes take. */
import { Readable } from 'node:stream';
import { run } from '../run.ts';

/** The end of a command. */
export interface Outcome {
  code: number | null;
  output: string;
  errors: string;
}

/** What a command takes from its process. */
interface ProcessState {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** Settles when the commands so far have ended. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command to its end, with an empty standard input. Commands run one after the other, because each replaces the
 * environment, the current folder and the standard streams of this process.
 */
export function runInProcess(args: readonly string[], state: ProcessState): Promise<Outcome> {
  const outcome = last.then(() => runAlone(args, state));
  last = outcome.catch(() => undefined);
  return outcome;
}

async function runAlone(args: readonly string[], { cwd, env }: ProcessState): Promise<Outcome> {
  const printed = { output: '', errors: '' };
  const formerFolder = process.cwd();
  const restore = [
    replaceProperty(process, 'env', { ...env }),
    replaceProperty(process, 'stdin', Readable.from([])),
    replaceProperty(process.stdout, 'write', (...parameters: WriteParameters) => {
      printed.output += textOf(parameters);
      return true;
    }),
    replaceProperty(process.stderr, 'write', (...parameters: WriteParameters) => {
      printed.errors += textOf(parameters);
      return true;
    }),
  ];
  try {
    process.chdir(cwd);
    return { code: await run(args), ...printed };
  } finally {
    process.chdir(formerFolder);
    for (const each of restore) each();
  }
}

type WriteParameters = [chunk: string | Uint8Array, ...rest: unknown[]];

/** Returns the written text, and calls the callback of the writer. */
function textOf([chunk, ...rest]: WriteParameters): string {
  const callback = rest.at(-1);
  if (typeof callback === 'function') process.nextTick(callback);
  return typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
}

/** Returns a function that restores the property. */
function replaceProperty(owner: object, name: string, value: unknown): () => void {
  const former = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { value, configurable: true, writable: true });
  return () => {
    if (former === undefined) Reflect.deleteProperty(owner, name);
    else Object.defineProperty(owner, name, former);
  };
}
