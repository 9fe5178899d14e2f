/** Measures the peak memory of the server and of PostgreSQL in a window (Linux; 0 elsewhere). */
import { readdir, readFile } from 'node:fs/promises';

const INTERVAL_MS = 2000;

interface PeakMemory {
  serverMb: number;
  postgresMb: number;
}

/**
 * Samples memory until the returned function is called. The figure of the server includes its child processes except
 * PostgreSQL. Shared pages count once.
 */
export function watchMemory(serverPid: number, postmasterPid: number): () => PeakMemory {
  const peak: PeakMemory = { serverMb: 0, postgresMb: 0 };
  const sample = async () => {
    const parents = await readParents();
    const postgres = descendants(parents, postmasterPid);
    const server = descendants(parents, serverPid).filter((pid) => !postgres.includes(pid));
    peak.serverMb = Math.max(peak.serverMb, await megabytes(server));
    peak.postgresMb = Math.max(peak.postgresMb, await megabytes(postgres));
  };
  const timer = setInterval(() => void sample().catch(() => undefined), INTERVAL_MS);
  void sample().catch(() => undefined);
  return () => {
    clearInterval(timer);
    return peak;
  };
}

/** Returns a process and all its descendants. */
export function descendants(parents: ReadonlyMap<number, number>, root: number): number[] {
  const children = [...parents].flatMap(([pid, parent]) => (parent === root ? [pid] : []));
  return [root, ...children.flatMap((pid) => descendants(parents, pid))];
}

async function readParents(): Promise<Map<number, number>> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = new Map<number, number>();
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    if (stat !== undefined) parents.set(pid, Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]));
  }
  return parents;
}

async function megabytes(pids: readonly number[]): Promise<number> {
  let kilobytes = 0;
  for (const pid of pids) {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
    kilobytes += Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0);
  }
  return kilobytes / 1024;
}
