/** One process that renders images, as the service sees it. */
import { type ChildProcess, fork } from 'node:child_process';
import type { RenderJob, RenderMessage, RenderOutcome } from './render-job.ts';

const PROGRAM = new URL('./render-process.ts', import.meta.url);
/** Starting, and saying by itself that it has given up, may take so long. */
const GRACE_MS = 3000;
const KEPT_ERROR_LENGTH = 4096;

/** A process. It is there from its first job on. */
export class Renderer {
  readonly #child: ChildProcess;
  /** What it has written before it was ready: why it never was. */
  #complaint = '';
  #isReady = false;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor() {
    this.#child = fork(PROGRAM, {
      // It has no use for anything that is in the environment of the service, such as passwords.
      env: { SYSTEMROOT: process.env.SYSTEMROOT, MALLOC_ARENA_MAX: '2' },
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (!this.#isReady) this.#complaint = (this.#complaint + text).slice(-KEPT_ERROR_LENGTH);
    });
    this.#child.on('message', (message: RenderMessage) => {
      if (message.kind === 'ready') this.#isReady = true;
    });
    // A process that is gone is noticed by its job, or is not asked again.
    this.#child.on('error', () => undefined);
  }

  /** Whether it can take another job. */
  get isUsable(): boolean {
    return this.#child.connected && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Renders a job: one at a time. A process that crashes or hangs refuses it. Rejects where it cannot be started. */
  async render(job: RenderJob): Promise<RenderOutcome> {
    this.#awake(true);
    let isLate = false;
    const late = setTimeout(
      () => {
        isLate = true;
        this.end();
      },
      job.seconds * 1000 + GRACE_MS,
    );
    try {
      const outcome = await this.#outcomeOf(job);
      if (outcome !== undefined) return outcome;
      if (!this.#isReady && !isLate) throw new Error(`images cannot be rendered: ${this.#complaint}`);
      return { kind: 'refused', refusal: isLate ? 'too-slow' : 'unreadable' };
    } finally {
      clearTimeout(late);
      this.#awake(false);
    }
  }

  /** Calls `isOver` and ends where no job comes for so many milliseconds. */
  rest(idleMs: number, isOver: () => void): void {
    this.#idleTimer = setTimeout(() => {
      isOver();
      this.end();
    }, idleMs).unref();
  }

  /** Ends it at once. */
  end(): void {
    clearTimeout(this.#idleTimer);
    this.#child.kill('SIGKILL');
  }

  /** Undefined where the process has ended instead. */
  #outcomeOf(job: RenderJob): Promise<RenderOutcome | undefined> {
    const child = this.#child;
    return new Promise((resolve) => {
      const settle = (outcome: RenderOutcome | undefined) => {
        child.off('message', onMessage).off('close', onGone).off('error', onGone);
        resolve(outcome);
      };
      const onMessage = (message: RenderMessage) => {
        if (message.kind !== 'ready') settle(message);
      };
      const onGone = () => settle(undefined);
      child.on('message', onMessage).on('close', onGone).on('error', onGone);
      // Where it could not be sent the process is gone, which is told by itself.
      child.send(job, () => undefined);
    });
  }

  /** One that does nothing does not keep the service's process alive. */
  #awake(isAwake: boolean): void {
    clearTimeout(this.#idleTimer);
    const method = isAwake ? 'ref' : 'unref';
    this.#child[method]();
    this.#child.channel?.[method]();
    (this.#child.stderr as unknown as { ref(): void; unref(): void } | null)?.[method]();
  }
}
