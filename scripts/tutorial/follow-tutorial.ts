/** Follows the tutorial like a reader: runs each command in a shell, and compares its output with the page. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { applyFileStep } from './apply-step.ts';
import { readTutorial, showsOutput, type TutorialStep } from './read-tutorial.ts';

/** Commands that run until the reader stops them. */
const SERVERS = ['npm run dev', 'npm start'];
const MAX_OUTPUT = 1 << 26;

/** Where the reader is. */
interface Reader {
  /** Changed by `cd`. */
  folder: string;
  env: NodeJS.ProcessEnv;
  server: Server | undefined;
  /** Output of the last command, unless a file or a server came after it. */
  printed: string | undefined;
}

/** A command that runs until it is stopped. */
interface Server {
  /** Resolves when its output after that of the last call shows these lines. Rejects if it ends before. */
  shows(expected: string): Promise<void>;
  /** Stops it as Ctrl+C does. */
  stop(): Promise<void>;
}

/**
 * Does all steps, and stops the server at the end. Throws an error with the step whose exit code or output is another one.
 * @param folder contains both tarballs
 * @param log receives each command
 */
export async function followTutorial(
  folder: string,
  env: NodeJS.ProcessEnv,
  log: (line: string) => void,
): Promise<void> {
  const reader: Reader = { folder, env, server: undefined, printed: undefined };
  try {
    for (const step of readTutorial()) await doStep(reader, step, log);
  } finally {
    await reader.server?.stop();
  }
}

async function doStep(reader: Reader, step: TutorialStep, log: (line: string) => void): Promise<void> {
  if (step.kind === 'command') {
    log(`$ ${step.text}`);
    return runCommand(reader, step);
  }
  if (step.kind === 'output') return compare(reader, step.text);
  await applyFileStep(reader.folder, step);
  reader.printed = undefined;
}

async function runCommand(
  reader: Reader,
  { text, exitCode }: Extract<TutorialStep, { kind: 'command' }>,
): Promise<void> {
  reader.printed = undefined;
  if (text.startsWith('cd ')) {
    reader.folder = resolve(reader.folder, text.slice('cd '.length));
  } else if (SERVERS.includes(text)) {
    await reader.server?.stop();
    reader.server = startServer(text, reader);
  } else {
    const { code, output } = await runInShell(text, reader);
    if (code !== exitCode) throw new Error(`${text}: exit code ${code} instead of ${exitCode}\n${output}`);
    reader.printed = output;
  }
}

async function compare({ printed, server }: Reader, expected: string): Promise<void> {
  if (printed === undefined) await server?.shows(expected);
  else if (!showsOutput(printed, expected)) throw new Error(`expected:\n${expected}\nprinted:\n${printed}`);
}

function runInShell(
  text: string,
  { folder, env }: Pick<Reader, 'folder' | 'env'>,
): Promise<{ code: number; output: string }> {
  const { promise, resolve: finish } = Promise.withResolvers<{ code: number; output: string }>();
  execFile(
    '/bin/bash',
    ['-c', text],
    { cwd: folder, env, maxBuffer: MAX_OUTPUT },
    (error, stdout, stderr) => {
      finish({
        code: error === null ? 0 : Number(error.code),
        output: stripVTControlCharacters(stdout + stderr),
      });
    },
  );
  return promise;
}

function startServer(text: string, { folder, env }: Reader): Server {
  // A process group, because Ctrl+C reaches all processes of a command.
  const child = spawn('/bin/bash', ['-c', text], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let unread = '';
  let hasEnded = false;
  let onChange = () => {};
  const read = (chunk: Buffer) => {
    unread += stripVTControlCharacters(String(chunk));
    onChange();
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  child.once('exit', () => {
    hasEnded = true;
    onChange();
  });
  return {
    async shows(expected) {
      // It may print other lines between these, e.g. when the pages are built again.
      const lines = expected.trimEnd().replaceAll('\n', '…');
      while (!showsOutput(unread, lines)) {
        if (hasEnded) throw new Error(`${text} has ended. Expected:\n${expected}\nprinted:\n${unread}`);
        const changed = Promise.withResolvers<void>();
        onChange = changed.resolve;
        await changed.promise;
      }
      unread = '';
    },
    async stop() {
      if (hasEnded || child.pid === undefined) return;
      const ended = once(child, 'exit');
      process.kill(-child.pid, 'SIGINT');
      await ended;
    },
  };
}
