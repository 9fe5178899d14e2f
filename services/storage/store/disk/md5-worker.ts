/** Runs in a thread: MD5 of what other threads have received. */
import { createHash, type Hash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';

/** Asked by `Md5Thread`. `update` is answered too, with its memory. */
export type Md5Request =
  | { kind: 'update'; hash: number; call: number; memory: ArrayBuffer; length: number }
  | { kind: 'digest'; hash: number; call: number }
  | { kind: 'drop'; hash: number };

/** The answer to a call; `digest` in hexadecimal where it was asked for. */
export interface Md5Answer {
  call: number;
  digest?: string;
  memory?: ArrayBuffer;
}

const hashes = new Map<number, Hash>();

parentPort?.on('message', (request: Md5Request) => {
  if (request.kind === 'drop') {
    hashes.delete(request.hash);
    return;
  }
  const hash = hashes.get(request.hash) ?? createHash('md5');
  hashes.set(request.hash, hash);
  const answer: Md5Answer = { call: request.call };
  if (request.kind === 'update') {
    hash.update(new Uint8Array(request.memory, 0, request.length));
    answer.memory = request.memory;
    parentPort?.postMessage(answer, [request.memory]);
  } else {
    hashes.delete(request.hash);
    answer.digest = hash.digest('hex');
    parentPort?.postMessage(answer);
  }
});
