/**
 * A project in a temporary folder, and commands in it. Commands that end run in the process of the tests; servers, and
 * commands that read an input, run as processes.
 */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openDatabase } from '@greenroom/postgres';
import { PROGRAM_PATH } from './program-path.ts';
import { type Outcome, runInProcess } from './run-in-process.ts';

/** Commands that change the process in which they run: they serve, or replace the program. */
const PROCESS_COMMANDS: readonly (string | undefined)[] = ['start', 'dev', 'build'];

/** Options of a command. */
interface CommandOptions {
  cwd?: string;
  env?: Record<string, string>;
}

/** A server process. */
interface RunningServer {
  child: ChildProcess;
  /** Everything that it has printed. */
  printed(): string;
  /**
   * Resolves with the output when the part after an offset matches; rejects with the output if the process ends before.
   */
  waitFor(pattern: RegExp, offset?: number): Promise<string>;
}

/** A project and its instance. */
interface ProjectInstance extends AsyncDisposable {
  folder: string;
  /** Writes a file below `supabase/`. */
  write(path: string, content: string): Promise<void>;
  /** Runs a command to its end: as a process if it has an input or serves, otherwise in this process. */
  run(args: string[], options?: CommandOptions & { input?: string }): Promise<Outcome>;
  /** Starts a command that runs until it is stopped. */
  spawn(args: string[], options?: CommandOptions): RunningServer;
  /** Starts another command that runs until the caller ends it, e.g. while a server runs. */
  follow(args: string[], options?: CommandOptions): RunningServer;
  /** Starts the instance with one service and without pages; resolves with the lines of the start. */
  start(args?: string[], options?: CommandOptions): Promise<string>;
  /** Returns everything that the last server has printed. */
  printed(): string;
  /** Stops the last server, if one runs. */
  stop(): Promise<void>;
  /** Queries the running instance as the owner of its database. */
  query(sql: string): Promise<Record<string, unknown>[]>;
}

/** Creates a project with these files below `supabase/`; it is removed at the end of its scope. */
export async function createProjectInstance(files: Record<string, string>): Promise<ProjectInstance> {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-commands-'));
  await chmod(folder, 0o711);
  let server: RunningServer | undefined;

  const write = async (path: string, content: string) => {
    const location = join(folder, 'supabase', path);
    await mkdir(dirname(location), { recursive: true });
    await writeFile(location, content);
  };
  const stateOf = ({ cwd = folder, env = {} }: CommandOptions = {}) => ({
    cwd,
    env: {
      PATH: process.env.PATH,
      XDG_STATE_HOME: join(folder, 'state'),
      LOG_LEVEL: 'silent',
      PORT: '0',
      GREENROOM_DB_PORT: '0',
      GREENROOM_MAILBOX_ENABLED: 'false',
      ...env,
    },
  });
  const spawnCommand = (args: string[], options?: CommandOptions) =>
    spawn(process.execPath, [PROGRAM_PATH, ...args], {
      ...stateOf(options),
      stdio: ['pipe', 'pipe', 'pipe'],
    });

  const instance: ProjectInstance = {
    folder,
    write,
    run(args, { input, ...options } = {}) {
      const needsProcess = input !== undefined || PROCESS_COMMANDS.includes(args[0]);
      if (needsProcess) return endOf(spawnCommand(args, options), input);
      return runInProcess(args, stateOf(options));
    },
    spawn(args, options) {
      server = observe(spawnCommand(args, options));
      return server;
    },
    follow: (args, options) => observe(spawnCommand(args, options)),
    start: (args = [], options = {}) =>
      instance.spawn(['start', '--services', 'auth', ...args], options).waitFor(/^ready /m),
    printed: () => server?.printed() ?? '',
    async stop() {
      const child = server?.child;
      server = undefined;
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
    async query(sql) {
      const { output } = await instance.run(['status', '-o', 'json']);
      const database = openDatabase({ url: JSON.parse(output).DB_URL, max: 1, applicationName: 'test' });
      return database.query({ text: sql }).finally(() => database.close());
    },
    async [Symbol.asyncDispose]() {
      await instance.stop();
      await rm(folder, { recursive: true });
    },
  };
  await mkdir(join(folder, 'supabase', 'migrations'), { recursive: true });
  for (const [path, content] of Object.entries(files)) await write(path, content);
  return instance;
}

/** Sends the input; resolves when the process has ended. */
async function endOf(child: ChildProcessWithoutNullStreams, input = ''): Promise<Outcome> {
  child.stdin.end(input);
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, output, errors };
}

function observe(child: ReturnType<typeof spawn>): RunningServer {
  let printed = '';
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data) => {
      printed += data;
      notify();
    });
  }
  child.once('close', notify);
  return {
    child,
    printed: () => printed,
    waitFor: (pattern, offset = 0) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const isMatch = pattern.test(printed.slice(offset));
          if (!isMatch && child.exitCode === null && child.signalCode === null) return;
          listeners.delete(check);
          if (isMatch) resolve(printed);
          else reject(new Error(printed));
        };
        listeners.add(check);
        check();
      }),
  };
}
