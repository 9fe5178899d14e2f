/**
 * Computes the MD5 of large content in a worker thread. Hashing takes longer than writing the same bytes to a good
 * disk, and would block all other requests on the main thread. The thread starts with the first large content.
 */
import { Worker } from 'node:worker_threads';
import { programFile } from '@greenroom/builds/program-file';
import type { Md5Request, Md5Response } from './md5-worker.ts';

/** Limits of the thread's heap, which holds only messages. Without a limit, V8 lets it grow for short-lived objects. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 };

interface Waiting {
  resolve(response: Md5Response): void;
  reject(error: unknown): void;
}

/** A hash that the thread computes. */
export interface ThreadedHash {
  /**
   * Hashes the first `length` bytes of `bytes`. Transfers the memory to the thread and resolves with it when it is
   * transferred back; memory shared by both threads would be slow to write. Calls are processed in order.
   */
  update(bytes: Buffer<ArrayBuffer>, length: number): Promise<Buffer<ArrayBuffer>>;
  /** Returns the digest in hexadecimal. */
  digest(): Promise<string>;
  /** Discards a hash whose digest is not needed. */
  drop(): void;
}

/** Owns the worker thread and its pending calls. */
export class Md5Thread {
  #worker: Worker | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;

  hash(): ThreadedHash {
    this.#count += 1;
    const hash = this.#count;
    return {
      update: async (bytes, length) => {
        const memory = bytes.buffer;
        const { memory: back } = await this.#call(
          (call) => ({ kind: 'update', hash, call, memory, length }),
          [memory],
        );
        return Buffer.from(back ?? new ArrayBuffer(0));
      },
      digest: async () => (await this.#call((call) => ({ kind: 'digest', hash, call }))).digest ?? '',
      drop: () => this.#worker?.postMessage({ kind: 'drop', hash } satisfies Md5Request),
    };
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #call(request: (call: number) => Md5Request, transfer: readonly ArrayBuffer[] = []): Promise<Md5Response> {
    const worker = this.#start();
    this.#count += 1;
    const call = this.#count;
    return new Promise((resolve, reject) => {
      // Keeps the process alive only while a call is pending.
      if (this.#waiting.size === 0) worker.ref();
      this.#waiting.set(call, { resolve, reject });
      worker.postMessage(request(call), transfer);
    });
  }

  #start(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(programFile(new URL('./md5-worker.ts', import.meta.url)), {
      execArgv: [],
      resourceLimits: RESOURCE_LIMITS,
    });
    worker.unref();
    worker.on('message', (response: Md5Response) => {
      const waiting = this.#waiting.get(response.call);
      this.#waiting.delete(response.call);
      if (this.#waiting.size === 0) worker.unref();
      waiting?.resolve(response);
    });
    worker.on('error', (error) => this.#fail(error));
    worker.on('exit', () => this.#fail(new Error('the MD5 thread has ended')));
    this.#worker = worker;
    return worker;
  }

  #fail(error: unknown): void {
    this.#worker = undefined;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
  }
}
