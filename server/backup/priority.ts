/** Priorities of processes: serving goes before backups. */
import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

const THREADS = '/proc/self/task';

/** Gives this process the lowest priority: on Linux, each of its threads. Their children have the same priority. */
export function lowerPriority(): void {
  for (const thread of threads()) trySetPriority(thread, constants.priority.PRIORITY_LOW);
}

/** Gives a process of the same machine the priority of this one, unless the system forbids that. */
export function sharePriority(pid: number): void {
  trySetPriority(pid, getPriority());
}

function threads(): number[] {
  try {
    return readdirSync(THREADS).map(Number);
  } catch {
    // 0 is this process.
    return [0];
  }
}

/** A process that has ended needs no priority. */
function trySetPriority(pid: number, priority: number): void {
  try {
    setPriority(pid, priority);
  } catch {
    // Only slower.
  }
}
