/** The parent's handle of one render process. */
import { type ChildProcess, fork } from 'node:child_process';
import { programFile } from '@greenroom/builds/program-file';
import type { RenderJob, RenderMessage, RenderOutcome } from './render-job.ts';

const PROGRAM = programFile(new URL('./render-process.ts', import.meta.url));
/** Additional time for starting the process and for its own timeout to take effect. */
const GRACE_MS = 3000;
const KEPT_ERROR_LENGTH = 4096;

/** Starts a process when constructed. */
export class Renderer {
  readonly #child: ChildProcess;
  /** End of the process's stderr before it was ready, for the error message. */
  #stderr = '';
  #isReady = false;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor() {
    this.#child = fork(PROGRAM, {
      // The process gets none of the service's environment variables, such as passwords.
      env: { SYSTEMROOT: process.env.SYSTEMROOT, MALLOC_ARENA_MAX: '2' },
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (!this.#isReady) this.#stderr = (this.#stderr + text).slice(-KEPT_ERROR_LENGTH);
    });
    this.#child.on('message', (message: RenderMessage) => {
      if (message.kind === 'ready') this.#isReady = true;
    });
    // `render` and `isUsable` detect a process that has ended.
    this.#child.on('error', () => undefined);
  }

  /** Whether the process can accept another job. */
  get isUsable(): boolean {
    return this.#child.connected && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /**
   * Renders a job; call it for one job at a time. Returns a refusal if the process crashes or hangs. Rejects if the
   * process cannot be started.
   */
  async render(job: RenderJob): Promise<RenderOutcome> {
    this.#setReferenced(true);
    let isTimedOut = false;
    const timeout = setTimeout(
      () => {
        isTimedOut = true;
        this.end();
      },
      job.seconds * 1000 + GRACE_MS,
    );
    try {
      const outcome = await this.#outcomeOf(job);
      if (outcome !== undefined) return outcome;
      if (!this.#isReady && !isTimedOut) throw new Error(`the image renderer did not start: ${this.#stderr}`);
      return { kind: 'refused', refusal: isTimedOut ? 'too-slow' : 'unreadable' };
    } finally {
      clearTimeout(timeout);
      this.#setReferenced(false);
    }
  }

  /** Calls `onEnd` and ends the process after `idleMs` without a job. */
  startIdleTimer(idleMs: number, onEnd: () => void): void {
    this.#idleTimer = setTimeout(() => {
      onEnd();
      this.end();
    }, idleMs).unref();
  }

  /** Kills the process. */
  end(): void {
    clearTimeout(this.#idleTimer);
    this.#child.kill('SIGKILL');
  }

  /** Resolves with undefined if the process ends instead. */
  #outcomeOf(job: RenderJob): Promise<RenderOutcome | undefined> {
    const child = this.#child;
    return new Promise((resolve) => {
      const settle = (outcome: RenderOutcome | undefined) => {
        child.off('message', onMessage).off('close', onExit).off('error', onExit);
        resolve(outcome);
      };
      const onMessage = (message: RenderMessage) => {
        if (message.kind !== 'ready') settle(message);
      };
      const onExit = () => settle(undefined);
      child.on('message', onMessage).on('close', onExit).on('error', onExit);
      // If sending fails, the process has ended, and `close` or `error` is emitted.
      child.send(job, () => undefined);
    });
  }

  /** An idle process must not keep the service's process alive. */
  #setReferenced(isReferenced: boolean): void {
    clearTimeout(this.#idleTimer);
    const method = isReferenced ? 'ref' : 'unref';
    this.#child[method]();
    this.#child.channel?.[method]();
    (this.#child.stderr as unknown as { ref(): void; unref(): void } | null)?.[method]();
  }
}
