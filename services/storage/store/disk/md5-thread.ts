/**
 * MD5 of large content, in a thread of its own: it takes longer than writing the same bytes to a good disk does, and
 * would hold up every other request meanwhile. The thread starts with the first large content.
 */
import { Worker } from 'node:worker_threads';
import type { Md5Answer, Md5Request } from './md5-worker.ts';

interface Waiting {
  resolve(answer: Md5Answer): void;
  reject(error: unknown): void;
}

/** One hash. */
export interface ThreadedHash {
  /**
   * Hashes the first `length` of `bytes`, whose memory goes to the thread, and comes back with what this resolves with.
   * Memory that both see at once would be slow to write to. Calls are worked on in their order.
   */
  update(bytes: Buffer<ArrayBuffer>, length: number): Promise<Buffer<ArrayBuffer>>;
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
      update: async (bytes, length) => {
        const memory = bytes.buffer;
        const { memory: back } = await this.#ask(
          (call) => ({ kind: 'update', hash, call, memory, length }),
          [memory],
        );
        return Buffer.from(back ?? new ArrayBuffer(0));
      },
      digest: async () => (await this.#ask((call) => ({ kind: 'digest', hash, call }))).digest ?? '',
      drop: () => this.#worker?.postMessage({ kind: 'drop', hash } satisfies Md5Request),
    };
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #ask(request: (call: number) => Md5Request, given: readonly ArrayBuffer[] = []): Promise<Md5Answer> {
    const worker = this.#start();
    this.#count += 1;
    const call = this.#count;
    return new Promise((resolve, reject) => {
      // A process must not end while somebody waits for the thread, nor go on because the thread is there.
      if (this.#waiting.size === 0) worker.ref();
      this.#waiting.set(call, { resolve, reject });
      worker.postMessage(request(call), given);
    });
  }

  #start(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(new URL('./md5-worker.ts', import.meta.url), { execArgv: [] });
    worker.unref();
    worker.on('message', (answer: Md5Answer) => {
      const waiting = this.#waiting.get(answer.call);
      this.#waiting.delete(answer.call);
      if (this.#waiting.size === 0) worker.unref();
      waiting?.resolve(answer);
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
