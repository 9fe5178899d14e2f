/**
 * A pool of processes that render images, which are started on demand and end after an idle time. A source is fetched
 * only when its job starts, so waiting jobs need no memory.
 */
import { failure } from '../errors.ts';
import { JobQueue, type JobQueueOptions } from './job-queue.ts';
import type { Refusal, Rendered, RenderJob, RenderOutcome } from './render-job.ts';
import { Renderer } from './renderer.ts';

/** Limits of a pool. Times are in milliseconds; `maxConcurrent` is the number of processes. */
export interface RenderPoolOptions extends JobQueueOptions {
  renderMs: number;
  idleMs: number;
}

const DEFAULTS: RenderPoolOptions = {
  maxConcurrent: 2,
  maxConcurrentPerClient: 1,
  maxWaiting: 64,
  maxWaitingPerClient: 32,
  maxWaitMs: 30_000,
  renderMs: 10_000,
  idleMs: 30_000,
};

const REFUSALS: Readonly<Record<Refusal, string>> = {
  unreadable: 'The source image is invalid or unsupported for rendering',
  'too-many-pixels': 'The source image resolution is too large to process',
  'too-slow': 'The source image takes too long to process',
};

/** A job whose source is loaded when the job starts. */
export interface PoolJob extends Pick<RenderJob, 'transform' | 'type'> {
  /** Keys of the client for limits per client. */
  client?: readonly string[];
  loadSource(): Promise<Uint8Array>;
}

/** Creates the error for an image that cannot be rendered. */
export function imageError(message: string): Error {
  return failure('InvalidRequest', { message });
}

/** The render processes of one instance. */
export class RenderPool {
  readonly #options: RenderPoolOptions;
  readonly #queue: JobQueue;
  readonly #idle = new Set<Renderer>();
  readonly #busy = new Set<Renderer>();
  #isClosed = false;

  constructor(options: Partial<RenderPoolOptions> = {}) {
    this.#options = { ...DEFAULTS, ...options };
    this.#queue = new JobQueue(this.#options);
  }

  /**
   * Renders a job. Rejects with InvalidRequest if the image cannot be rendered, with SlowDown or TooManyRequests if too
   * many jobs are waiting, and with the error of `loadSource`.
   */
  render({ client = [], loadSource, transform, type }: PoolJob): Promise<Rendered> {
    return this.#queue.run(client, async () => {
      const source = await loadSource();
      const seconds = Math.ceil(this.#options.renderMs / 1000);
      const outcome = await this.#work({ source, transform, type, seconds });
      if (this.#isClosed) throw failure('SlowDown');
      if (outcome.kind === 'refused') throw imageError(REFUSALS[outcome.refusal]);
      return outcome;
    });
  }

  /** Ends all processes and rejects all waiting and running jobs. */
  close(): void {
    this.#isClosed = true;
    this.#queue.close();
    for (const renderer of [...this.#idle, ...this.#busy]) renderer.end();
  }

  async #work(job: RenderJob): Promise<RenderOutcome> {
    if (this.#isClosed) throw failure('SlowDown');
    const [idle] = this.#idle;
    const renderer = idle?.isUsable ? idle : new Renderer();
    if (idle !== undefined) this.#idle.delete(idle);
    this.#busy.add(renderer);
    try {
      return await renderer.render(job);
    } finally {
      this.#busy.delete(renderer);
      if (renderer.isUsable && !this.#isClosed) this.#markIdle(renderer);
      else renderer.end();
    }
  }

  #markIdle(renderer: Renderer): void {
    this.#idle.add(renderer);
    renderer.startIdleTimer(this.#options.idleMs, () => this.#idle.delete(renderer));
  }
}
