/** The program of the worker thread that computes MD5. */
import { createHash, type Hash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';

/** Request of `Md5Thread`. The response to `update` transfers the memory back. */
export type Md5Request =
  | { kind: 'update'; hash: number; call: number; memory: ArrayBuffer; length: number }
  | { kind: 'digest'; hash: number; call: number }
  | { kind: 'drop'; hash: number };

/** Response to a call; `digest` is in hexadecimal and set for `digest` requests. */
export interface Md5Response {
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
  const response: Md5Response = { call: request.call };
  if (request.kind === 'update') {
    hash.update(new Uint8Array(request.memory, 0, request.length));
    response.memory = request.memory;
    parentPort?.postMessage(response, [request.memory]);
  } else {
    hashes.delete(request.hash);
    response.digest = hash.digest('hex');
    parentPort?.postMessage(response);
  }
});
