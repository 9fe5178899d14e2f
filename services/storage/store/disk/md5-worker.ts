/** Runs in a thread: MD5 of what other threads have received. */
import { createHash, type Hash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';

/** Asked by `Md5Thread`. `update` is answered too: its memory is free again then. */
export type Md5Request =
  | { kind: 'update'; hash: number; call: number; memory: SharedArrayBuffer; length: number }
  | { kind: 'digest'; hash: number; call: number }
  | { kind: 'drop'; hash: number };

/** The answer to a call; `digest` in hexadecimal where it was asked for. */
export interface Md5Answer {
  call: number;
  digest?: string;
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
  } else {
    hashes.delete(request.hash);
    answer.digest = hash.digest('hex');
  }
  parentPort?.postMessage(answer);
});
