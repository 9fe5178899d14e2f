/** Processes and their memory (Linux, proc_pid_stat(5)). */
import { readdir, readFile } from 'node:fs/promises';

/** Returns the processes that a process has started, and those that they have started. */
export async function descendantsOf(ancestor: number): Promise<number[]> {
  const parents = await parentsOfAll();
  const found = [ancestor];
  for (const pid of found) {
    for (const [child, parent] of parents) if (parent === pid) found.push(child);
  }
  return found.slice(1);
}

async function parentsOfAll(): Promise<ReadonlyMap<number, number>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  return new Map(
    await Promise.all(
      pids.map(async (pid) => {
        const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
        return [pid, Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2])] as const;
      }),
    ),
  );
}

/** Returns the name of a program, cut to 15 characters; an empty text if it has ended. */
export async function nameOf(pid: number): Promise<string> {
  return (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim();
}

/** Returns the memory of processes. Shared pages are counted once, divided among the processes that share them. */
export async function proportionalMb(pids: readonly number[]): Promise<number> {
  const sizes = await Promise.all(
    pids.map(async (pid) => {
      const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
      return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0);
    }),
  );
  return sizes.reduce((sum, kb) => sum + kb, 0) / 1024;
}

/** Returns the resident memory of a process. */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}
