/**
 * Bodies, received whole. The memory of a large one is given back as soon as its request is answered. The garbage collector
 * would, too, but V8 begins to collect everything whenever 64 MB of such memory have been taken: with inserts of a thousand
 * rows, that was half of what this process did.
 */
import type { Readable } from 'node:stream';
import { MAX_BODY_BYTES, tooLarge } from './body.ts';

/** Less is not worth giving back. */
const LARGE_BYTES = 16 * 1024;
const NO_BODY = Buffer.alloc(0);

/** Told once: the body, or why there is none. */
export type BodyReceived = (error: Error | null, body?: Buffer) => void;

/**
 * Receives a body, as a content type parser of Fastify does. What its pieces are in becomes {@link releaseBody}'s.
 * @param contentLength as the request says it, if it does
 */
export function receiveBody(payload: Readable, contentLength: string | undefined, done: BodyReceived): void {
  if (Number(contentLength) > MAX_BODY_BYTES) {
    done(tooLarge());
    return;
  }
  const pieces: Buffer[] = [];
  let length = 0;
  payload.on('data', take).on('end', finish).on('error', fail);

  function take(piece: Buffer): void {
    length += piece.length;
    pieces.push(piece);
    if (length > MAX_BODY_BYTES) fail(tooLarge());
  }

  function finish(): void {
    stop();
    done(null, joined(pieces));
  }

  function fail(error: Error): void {
    stop();
    done(error);
  }

  function stop(): void {
    payload.off('data', take).off('end', finish).off('error', fail);
  }
}

/** Gives the memory of a large body back. Whoever still has the body finds it empty. */
export function releaseBody(body: Buffer): void {
  const { buffer } = body;
  const isOwn = buffer.byteLength === body.length;
  if (body.length >= LARGE_BYTES && isOwn && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

function joined(pieces: readonly Buffer[]): Buffer {
  const [first = NO_BODY] = pieces;
  if (pieces.length < 2) return first;
  const body = Buffer.concat(pieces);
  for (const piece of pieces) releaseBody(piece);
  return body;
}
