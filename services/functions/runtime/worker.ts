/**
 * The process of a function.
 *
 *     starting ──ready──► serving ──retire──► retiring ──idle──► ended
 *        │                   │                    │
 *        └──failed, exit─────┴──exit, kill────────┴──exit, kill, grace──► ended
 *
 * A serving process takes requests. A retiring one finishes those that it has.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readUsage } from '../process-usage.ts';
import { StartFailure } from '../start-failure.ts';
import type { Message } from './bootstrap/messages.ts';
import { diskUsage } from './disk-usage.ts';
import { type Excess, excessOf, type WorkerLimits } from './limits.ts';
import { type OutputHandlers, readOutput } from './message-reader.ts';
import type { WorkerCommand } from './worker-command.ts';

/** Why a process ends before the server does; functions receive it with `beforeunload`. */
type RetireReason = 'wall_clock' | 'early_drop' | 'termination';

/** Why a process has ended. */
type EndReason = Excess | 'exit' | 'failed' | 'stopped';

type State = 'starting' | 'serving' | 'retiring' | 'ended';

/** Options of {@link Worker}. */
interface WorkerOptions {
  command: WorkerCommand;
  /** Path of the Unix socket on which the process serves. */
  socket: string;
  /** Folders that it can write. */
  folders: readonly string[];
  limits: WorkerLimits;
  output: Pick<OutputHandlers, 'onLine' | 'onDropped'>;
  /** Called once, when the process has ended. */
  onEnd(worker: Worker): void;
}

const MAX_ERROR_LINES = 20;
const SAMPLE_MS = 100;
/** A process without requests is measured each time that many samples are due. */
const IDLE_SAMPLES = 10;
/** Files are measured each time that many samples are due. */
const DISK_SAMPLES = 10;
/** Time that a process has to end after it was asked. */
const GRACE_MS = 2000;

export class Worker {
  readonly socket: string;
  /** Resolves when the process serves; rejects with {@link StartFailure}. */
  readonly ready: Promise<void>;
  readonly startedAt = Date.now();
  readonly #options: WorkerOptions;
  readonly #process: ChildProcess;
  readonly #started = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  #state: State = 'starting';
  #requests = 0;
  #pendingPromises = 0;
  #cpuMs = 0;
  #cpuMsAtLastAnswer = 0;
  #endReason: EndReason | undefined;
  #samples = 0;
  #isMeasuringDisk = false;
  /** Lines of errors during the start. */
  #errors: string[] = [];
  #timers: NodeJS.Timeout[] = [];

  constructor(options: WorkerOptions) {
    const { command, socket, output, limits } = options;
    this.#options = options;
    this.socket = socket;
    this.ready = this.#started.promise;
    this.ready.catch(() => undefined);
    this.#process = spawn(command.program, [...command.args], {
      cwd: command.cwd,
      env: { ...command.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      ...command.user,
    });
    const { stdin, stdout, stderr } = this.#process;
    // The process may end before it has read the reason.
    stdin?.on('error', () => undefined);
    if (stdout && stderr)
      readOutput(
        { stdout, stderr },
        {
          onMessage: (message) => this.#receive(message),
          onDropped: output.onDropped,
          onLine: (level, text, request) => {
            if (this.#state === 'starting' && level === 'error') this.#errors.push(text);
            output.onLine(level, text, request);
          },
        },
      );
    this.#process.once('error', (error) => this.#end('failed', error.message));
    this.#process.once('close', (code, signal) =>
      this.#end(this.#endReason ?? 'exit', `the process ended with ${signal ?? `code ${code}`}`),
    );
    this.#timers = [
      setInterval(() => void this.#judge(), SAMPLE_MS),
      setTimeout(() => this.#failStart(`it did not start within ${limits.startMs / 1000} s`), limits.startMs),
      setTimeout(() => this.retire('wall_clock'), limits.lifeMs),
    ];
  }

  get limits(): WorkerLimits {
    return this.#options.limits;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get isStarting(): boolean {
    return this.#state === 'starting';
  }

  get acceptsRequests(): boolean {
    return this.#state === 'starting' || this.#state === 'serving';
  }

  /** Why the process has ended; undefined while it runs. */
  get endReason(): EndReason | undefined {
    return this.#state === 'ended' ? this.#endReason : undefined;
  }

  get isIdle(): boolean {
    return this.#requests === 0 && this.#pendingPromises === 0;
  }

  get requests(): number {
    return this.#requests;
  }

  /** Resolves when the process has ended. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Counts a request until the returned function is called. */
  begin(): () => void {
    this.#requests += 1;
    if (this.#requests === 1) this.#cpuMsAtLastAnswer = this.#cpuMs;
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.#requests -= 1;
      this.#cpuMsAtLastAnswer = this.#cpuMs;
      this.#endIfDone();
    };
  }

  /** Takes no further requests, and ends when those that run have been answered. */
  retire(reason: RetireReason): void {
    if (this.#state === 'starting') this.#failStart('it was replaced');
    if (this.#state !== 'serving') return;
    this.#state = 'retiring';
    this.#process.stdin?.write(`${reason}\n`);
    const { responseMs } = this.#options.limits;
    this.#timers.push(setTimeout(() => this.kill('stopped'), responseMs));
    this.#endIfDone();
  }

  /** Ends the process at once; requests that run fail. */
  kill(reason: EndReason): void {
    if (this.#state === 'ended') return;
    this.#endReason ??= reason;
    this.#process.kill('SIGKILL');
  }

  #receive(message: Message): void {
    if (message.type === 'ready' && this.#state === 'starting') {
      this.#state = 'serving';
      this.#started.resolve();
    }
    if (message.type === 'failed') this.#failStart(message.error);
    if (message.type === 'pending') {
      this.#pendingPromises = Number(message.count);
      this.#endIfDone();
    }
  }

  #failStart(text: string): void {
    if (this.#state !== 'starting') return;
    this.#started.reject(new StartFailure(text));
    this.kill('failed');
  }

  /** The process ends when its standard input ends; otherwise it is killed. */
  #endIfDone(): void {
    if (this.#state !== 'retiring' || !this.isIdle) return;
    this.#endReason ??= 'stopped';
    this.#process.stdin?.end();
    this.#timers.push(setTimeout(() => this.kill('stopped'), GRACE_MS));
  }

  async #judge(): Promise<void> {
    this.#samples += 1;
    if (this.#samples % DISK_SAMPLES === 0) void this.#judgeDisk();
    if (this.isIdle && this.#state === 'serving' && this.#samples % IDLE_SAMPLES !== 0) return;
    const { pid } = this.#process;
    const usage = pid === undefined ? undefined : await readUsage(pid);
    if (usage === undefined || this.#state === 'ended') return;
    this.#cpuMs = usage.cpuMs;
    const load = { requests: this.#requests, cpuMsAtLastAnswer: this.#cpuMsAtLastAnswer };
    const { limits } = this.#options;
    // The time of a start is limited; its processor time varies with the number of modules.
    const applied = this.#state === 'starting' ? { ...limits, cpuMs: Infinity } : limits;
    const excess = excessOf(usage, load, applied);
    if (excess !== undefined) this.kill(excess);
  }

  /** Measures one time at once, because a process may have many files. */
  async #judgeDisk(): Promise<void> {
    if (this.#isMeasuringDisk) return;
    this.#isMeasuringDisk = true;
    const { folders, limits } = this.#options;
    const bytes = await diskUsage(folders, limits.diskBytes);
    this.#isMeasuringDisk = false;
    if (bytes > limits.diskBytes) this.kill('disk');
  }

  #end(reason: EndReason, text: string): void {
    if (this.#state === 'ended') return;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#state = 'ended';
    this.#endReason ??= reason;
    const details = this.#errors.slice(0, MAX_ERROR_LINES).join('\n');
    this.#started.reject(new StartFailure(details || text));
    this.#ended.resolve();
    this.#options.onEnd(this);
  }
}
