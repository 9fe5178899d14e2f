/** Memory and processor time of a process, as Linux reports them. Deno limits neither. */
import { readFile } from 'node:fs/promises';

/** Linux reports processor time in ticks of this length on all platforms that Node.js supports. */
const TICK_MS = 10;
const PAGE_BYTES = 4096;
/** Positions in /proc/PID/stat after the name of the program (proc_pid_stat(5)). */
const USER_TIME = 11;
const SYSTEM_TIME = 12;
const THREADS = 17;
const RESIDENT_PAGES = 21;

/** A measurement. */
export interface Usage {
  /** Processor time since the start of the process, in milliseconds. */
  cpuMs: number;
  residentBytes: number;
  threads: number;
}

/** Returns the usage of a process; undefined if it has ended, or the system has no `/proc`. */
export async function readUsage(pid: number): Promise<Usage | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
  return text === undefined ? undefined : parseStat(text);
}

/** Parses /proc/PID/stat. The name of the program may contain blanks and parentheses. */
function parseStat(text: string): Usage {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const numberAt = (index: number) => Number(fields[index]);
  return {
    cpuMs: (numberAt(USER_TIME) + numberAt(SYSTEM_TIME)) * TICK_MS,
    residentBytes: numberAt(RESIDENT_PAGES) * PAGE_BYTES,
    threads: numberAt(THREADS),
  };
}
