/** Starts an instance from a program. */

import { type InstanceSettings, type ProcessEnd, startInstanceProcess } from './instance-process.ts';
import { findProgram } from './program.ts';
import type { InstanceDetails } from './protocol.ts';

/** The services of an instance. */
export type ServiceName = 'auth' | 'data' | 'storage' | 'realtime' | 'functions' | 'jobs' | 'meta';

/** Options of {@link startGreenroom}. All of them are optional. */
export interface StartOptions {
  /** Folder of the project. Default: the current folder, if it is a project. */
  project?: string;
  /**
   * Settings by the names of their environment variables; they override those of this process, and undefined removes one.
   * Settings of `config.toml` and env files apply as for `greenroom start`.
   */
  settings?: InstanceSettings;
  /** Name or id of the remote whose values of `config.toml` apply. */
  remote?: string;
  /** Starts only these services, without pages. Default: all services, and the pages. */
  services?: readonly ServiceName[];
  /** Receives each line that `greenroom start` would print, including the log. */
  onLine?: (line: string) => void;
  /** Aborts the start. */
  signal?: AbortSignal;
}

/** A running instance. */
export interface GreenroomInstance extends InstanceDetails, AsyncDisposable {
  /** Id of its process. */
  readonly pid: number;
  /** Resolves when its process has ended, after {@link close} or for another reason. */
  readonly ended: Promise<ProcessEnd>;
  /** Finishes requests in progress and stops the instance; resolves when its process has ended. */
  close(): Promise<void>;
}

/**
 * Starts an instance in a child process; resolves when it accepts requests. The instance stops with this process, also if
 * this process is killed.
 *
 * ```ts
 * await using greenroom = await startGreenroom({ project: 'shop', settings: { PORT: '0' } });
 * console.log(greenroom.apiUrl, greenroom.publishableKey);
 * ```
 *
 * @throws GreenroomError with the message that `greenroom start` prints
 */
export async function startGreenroom(options: StartOptions = {}): Promise<GreenroomInstance> {
  const { settings = {}, onLine, signal } = options;
  const { node, entry } = findProgram({ built: 'main.js', source: 'main.ts' });
  const args = [entry, ...argumentsOf(options)];
  const { details, child, ended, close } = await startInstanceProcess({
    node,
    args,
    settings,
    onLine,
    signal,
  });
  return { ...details, pid: child.pid ?? 0, ended, close, [Symbol.asyncDispose]: close };
}

/** Returns the command line of the start. */
function argumentsOf({ project, remote, services }: StartOptions): string[] {
  return [
    'start',
    ...(project === undefined ? [] : [`--project=${project}`]),
    ...(remote === undefined ? [] : [`--remote=${remote}`]),
    ...(services === undefined ? [] : [`--services=${services.join(',')}`]),
  ];
}
