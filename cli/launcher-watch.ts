/**
 * Detects that the process that launched a server has exited. npm and npx forward only some signals, and none if they are
 * killed, so the server would keep running as an orphan.
 */
import { readFileSync } from 'node:fs';

const POLL_MS = 500;
/** npx, and the npm scripts that only run a server. Other npm scripts may exit before the processes they started. */
const NPM_EVENTS = ['start', 'dev', 'npx'];

/**
 * Process ids from this process's parent up to its launcher; read during loading, because the launcher may end at any
 * time.
 */
const LAUNCHERS = launchers();

/**
 * Calls `onEnd` once if the launcher of this process, or a process in between, ends. Does nothing without a launcher.
 */
export function watchLauncher(onEnd: () => void): void {
  if (LAUNCHERS.length === 0) return;
  const timer = setInterval(() => {
    if (isIntact()) return;
    clearInterval(timer);
    onEnd();
  }, POLL_MS).unref();
}

/** A process whose parent ends gets another parent. */
function isIntact(): boolean {
  const parents = [process.ppid, ...LAUNCHERS.slice(0, -1).map((pid) => parentOf(pid))];
  return LAUNCHERS.every((pid, index) => parents[index] === pid);
}

function launchers(): number[] {
  const { GREENROOM_LAUNCHER_PID, npm_lifecycle_event = '' } = process.env;
  const isOfNpm = NPM_EVENTS.includes(npm_lifecycle_event);
  if (!isOfNpm) return GREENROOM_LAUNCHER_PID === String(process.ppid) ? [process.ppid] : [];
  const chain = [process.ppid];
  for (let pid = process.ppid; !isNpm(pid); ) {
    const parent = parentOf(pid);
    // Without /proc, or without npm among the ancestors, only the direct parent is watched.
    if (parent === undefined || parent <= 1) return [process.ppid];
    chain.push(parent);
    pid = parent;
  }
  return chain;
}

/** npm sets its title to its command line, e.g. `npm exec greenroom start`. */
function isNpm(pid: number): boolean {
  return /^(?:npm|npx)\b/.test(readProc(pid, 'cmdline'));
}

function parentOf(pid: number): number | undefined {
  const stat = readProc(pid, 'stat');
  const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return parent === undefined ? undefined : Number(parent);
}

function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
