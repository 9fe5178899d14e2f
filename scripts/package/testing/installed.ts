/** A folder in which the package is installed, and its instance. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { ROOT } from '../root.ts';

const run = promisify(execFile);

/** Commands in the folder of a user. They run on the Node.js of the system, which may be older than 24. */
interface Installed {
  npm(...args: string[]): Promise<string>;
  greenroom(...args: string[]): Promise<string>;
  /** Starts the instance; resolves when it is ready. */
  start(): Promise<RunningInstance>;
}

/** An instance, as a user sees it. */
interface RunningInstance {
  url: string;
  anonKey: string;
  /** Sends a signal to the process of the server; resolves when all processes that this has started have ended. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** @param registry URL of the registry that npm uses */
export function installedIn(folder: string, registry: string): Installed {
  const options = { cwd: folder, env: environment(folder, registry), maxBuffer: 1 << 26 };
  const npm = async (...args: string[]) => (await run('npm', args, options)).stdout;
  const greenroom = async (...args: string[]) =>
    (await run('npx', ['--no-install', 'greenroom', ...args], options)).stdout;
  return {
    npm,
    greenroom,
    async start() {
      const child = spawn('npx', ['--no-install', 'greenroom', 'start'], {
        ...options,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const url = await readyUrl(child);
      const status = JSON.parse(await greenroom('status', '-o', 'json'));
      return {
        url,
        anonKey: status.ANON_KEY,
        async end(signal) {
          const { pid } = JSON.parse(await greenroom('list', '-o', 'json'))[0];
          process.kill(pid, signal);
          if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
        },
      };
    },
  };
}

/** Without the programs of the repository, and without the settings of the tests. */
function environment(folder: string, registry: string): NodeJS.ProcessEnv {
  const path = (process.env.PATH ?? '').split(delimiter).filter((place) => !place.startsWith(ROOT));
  return {
    HOME: process.env.HOME,
    PATH: path.join(delimiter),
    npm_config_registry: registry,
    XDG_STATE_HOME: join(folder, 'state'),
    PORT: '0',
    GREENROOM_DB_PORT: '0',
    GREENROOM_MAILBOX_ENABLED: 'false',
    LOG_LEVEL: 'silent',
  };
}

async function readyUrl(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the output of the start is not read');
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /^ready (\S+)$/.exec(line) ?? [];
    if (url === undefined) continue;
    child.stdout.resume();
    return url;
  }
  throw new Error('the start ended before the instance was ready');
}
