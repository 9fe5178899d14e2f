/**
 * MD5 of large content, in a thread of its own: it takes longer than writing the same bytes to a good disk does, and
 * would hold up every other request meanwhile. The thread starts with the first large content.
 */
import { Worker } from 'node:worker_threads';
import type { Md5Answer, Md5Request } from './md5-worker.ts';

interface Waiting {
  resolve(digest: string | undefined): void;
  reject(error: unknown): void;
}

/** One hash. */
export interface ThreadedHash {
  /** Resolves when `memory` may be used again. Calls are worked on in their order. */
  update(memory: SharedArrayBuffer, length: number): Promise<void>;
  /** In hexadecimal. */
  digest(): Promise<string>;
  /** Where nobody asks for the digest. */
  drop(): void;
}

/** The thread. */
export class Md5Thread {
  #worker: Worker | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;

  hash(): ThreadedHash {
    this.#count += 1;
    const hash = this.#count;
    return {
      update: async (memory, length) => {
        await this.#ask((call) => ({ kind: 'update', hash, call, memory, length }));
      },
      digest: async () => (await this.#ask((call) => ({ kind: 'digest', hash, call }))) ?? '',
      drop: () => this.#worker?.postMessage({ kind: 'drop', hash } satisfies Md5Request),
    };
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #ask(request: (call: number) => Md5Request): Promise<string | undefined> {
    const worker = this.#start();
    this.#count += 1;
    const call = this.#count;
    return new Promise((resolve, reject) => {
      // A process must not end while somebody waits for the thread, nor go on because the thread is there.
      if (this.#waiting.size === 0) worker.ref();
      this.#waiting.set(call, { resolve, reject });
      worker.postMessage(request(call));
    });
  }

  #start(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(new URL('./md5-worker.ts', import.meta.url), { execArgv: [] });
    worker.unref();
    worker.on('message', ({ call, digest }: Md5Answer) => {
      const waiting = this.#waiting.get(call);
      this.#waiting.delete(call);
      if (this.#waiting.size === 0) worker.unref();
      waiting?.resolve(digest);
    });
    worker.on('error', (error) => this.#fail(error));
    worker.on('exit', () => this.#fail(new Error('the thread for MD5 has ended')));
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
