/**
 * A memory limit for each process of the embedded server. Clients of the data API choose their statements, and planning
 * or running one of them can allocate gigabytes within the statement timeout. PostgreSQL has no setting against that,
 * but if the operating system refuses an allocation, only its statement fails: "out of memory" (53200).
 */
import { existsSync } from 'node:fs';
import { totalmem } from 'node:os';

const SHELL = '/bin/sh';
/** `ulimit -d` limits a process's private memory; child processes inherit it, and shared buffers do not count. */
const LIMITED = 'ulimit -d "$1" 2>/dev/null || :; shift; exec "$@"';

const MEGABYTE = 1024 * 1024;
const MIN_MB = 512;
const MAX_MB = 2048;
/** With this share, all connections of the data API together use less than half of the memory. */
const SHARE = 32;

/** A program and its arguments. */
export interface Command {
  program: string;
  args: readonly string[];
}

/**
 * Returns the limit for a machine with this much memory, in megabytes. Default: the memory of this machine or
 * container.
 */
export function defaultMemoryLimitMb(bytes = availableBytes()): number {
  return Math.min(MAX_MB, Math.max(MIN_MB, Math.floor(bytes / SHARE / MEGABYTE)));
}

/**
 * Returns the command with a limit. The process keeps the id of the spawned one. Without a shell, as on Windows, there
 * is no limit; if the system refuses the limit, the command runs without it.
 * @param limitMb 0 for no limit
 */
export function withMemoryLimit(command: Command, limitMb: number, shell = SHELL): Command {
  if (limitMb === 0 || !existsSync(shell)) return command;
  const { program, args } = command;
  return { program: shell, args: ['-c', LIMITED, 'sh', String(limitMb * 1024), program, ...args] };
}

/** Memory of the machine, or of the container that limits this process, in bytes. */
export function availableBytes(): number {
  // Without a container limit this is 0, or more than the machine has.
  const ofContainer = process.constrainedMemory();
  return ofContainer > 0 ? Math.min(ofContainer, totalmem()) : totalmem();
}
