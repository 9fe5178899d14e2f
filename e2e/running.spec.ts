/**
 * Every documented way to start and stop a server: no process is left over, regardless of the process that is
 * signalled.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import {
  environment,
  newDataFolder,
  removeDataFolder,
  stopLeftovers,
  watchOutput,
} from './support/instance.ts';
import { fillDataFolder } from './support/prepared-folder.ts';

const ROOT = join(import.meta.dirname, '..');
const BIN = join(ROOT, 'node_modules/.bin/greenroom');
const isRoot = process.getuid?.() === 0;

/** A way to launch a server, and its reaction to SIGHUP. */
interface LaunchMethod {
  command: string;
  args: string[];
  /** False if this system does not support the launch method. */
  isAvailable?: boolean;
  /** True if SIGHUP reloads the settings. npm and npx belong to a terminal, so SIGHUP ends them. */
  reloadsOnHangUp: boolean;
  /** True if signals must go to the launcher's child, because the launcher does not forward them. */
  isWrapped?: boolean;
}

const LAUNCH_METHODS: Record<string, LaunchMethod> = {
  'npm start': { command: 'npm', args: ['start', '--ignore-scripts'], reloadsOnHangUp: false },
  'npx greenroom start': { command: 'npx', args: ['greenroom', 'start'], reloadsOnHangUp: false },
  // On a system whose Node.js is older than ours, this also shows that the command finds ours.
  'node_modules/.bin/greenroom start': { command: BIN, args: ['start'], reloadsOnHangUp: true },
  // PID namespaces exist on Linux only, and creating one needs root.
  'process 1 of a container': {
    command: 'unshare',
    args: ['--pid', '--fork', '--mount-proc', '--kill-child', BIN, 'start'],
    isAvailable: process.platform === 'linux' && isRoot,
    reloadsOnHangUp: true,
    isWrapped: true,
  },
  // Needs a running systemd, which containers and most CI machines do not have.
  'a systemd service': {
    command: 'systemd-run',
    args: ['--pipe', '--wait', '--collect', '--quiet', '--property=KillMode=mixed', BIN, 'start'],
    isAvailable: existsSync('/run/systemd/system') && isRoot,
    reloadsOnHangUp: true,
    isWrapped: true,
  },
};

let folder: string;
test.beforeEach(async () => {
  folder = await newDataFolder();
  await fillDataFolder(folder);
});
test.afterEach(async () => {
  await stopLeftovers();
  await removeDataFolder(folder);
});

/** Returns the PATH of a system shell, without the `node_modules` folders that npm prepends. */
function systemPath(): string {
  const folders = (process.env.PATH ?? '').split(':');
  return folders.filter((each) => !each.includes('node_modules')).join(':');
}

async function launch({ command, args, isWrapped }: LaunchMethod) {
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment(folder, { PATH: systemPath() }),
    detached: true,
  });
  const { waitForLine, exited } = watchOutput(child);
  const [, url = ''] = await waitForLine(/^ready (http:\S+)$/);
  const launcher = child.pid ?? 0;
  const { pid } = JSON.parse(await readFile(join(folder, 'instance.json'), 'utf8'));
  const postmaster = Number.parseInt(await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8'), 10);
  const signalled = isWrapped ? await childOf(launcher) : launcher;
  return { url, launcher, signalled, exited, processes: isWrapped ? [signalled] : [pid, postmaster] };
}

/** Reads the first child of a process from /proc: a container's own pid files contain pids of its namespace. */
async function childOf(pid: number): Promise<number> {
  return Number((await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ')[0]);
}

/**
 * Skips the test if this system does not support the launch method. A comment at each such method states its
 * requirements.
 */
function skipUnlessAvailable({ isAvailable = true }: LaunchMethod): void {
  test.skip(!isAvailable, 'this system lacks PID namespaces, root or systemd');
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const SIGNALS: [what: string, end: (at: { launcher: number; signalled: number }) => void][] = [
  ['SIGTERM', ({ signalled }) => process.kill(signalled, 'SIGTERM')],
  ['Ctrl-C', ({ launcher }) => process.kill(-launcher, 'SIGINT')],
  ['SIGKILL', ({ launcher }) => process.kill(launcher, 'SIGKILL')],
];

for (const [name, method] of Object.entries(LAUNCH_METHODS)) {
  test(`${name} serves and ends with all its processes on SIGTERM, Ctrl-C and SIGKILL`, {
    tag: '@trial',
  }, async () => {
    skipUnlessAvailable(method);
    for (const [signal, sendSignal] of SIGNALS) {
      const running = await launch(method);
      expect((await fetch(`${running.url}/health`)).status).toBe(200);
      sendSignal(running);
      await running.exited;
      await expect.poll(() => running.processes.filter(isAlive), { message: signal }).toEqual([]);
    }
  });

  test(`${name} ${method.reloadsOnHangUp ? 'reloads' : 'ends'} on SIGHUP`, { tag: '@trial' }, async () => {
    skipUnlessAvailable(method);
    const { url, signalled, exited, processes } = await launch(method);
    process.kill(signalled, 'SIGHUP');
    if (method.reloadsOnHangUp) {
      await new Promise((done) => setTimeout(done, 1000));
      expect((await fetch(`${url}/health`)).status).toBe(200);
      process.kill(signalled, 'SIGTERM');
    }
    await exited;
    await expect.poll(() => processes.filter(isAlive)).toEqual([]);
  });
}
