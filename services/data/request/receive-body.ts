/** Bodies, received whole. The memory of a large one is to be given back as soon as its request is answered. */
import type { Readable } from 'node:stream';
import { releaseMemory } from '@greenroom/postgres';
import { MAX_BODY_BYTES, tooLarge } from './body.ts';

const NO_BODY = Buffer.alloc(0);

/** Told once: the body, or why there is none. */
export type BodyReceived = (error: Error | null, body?: Buffer) => void;

/**
 * Receives a body, as a content type parser of Fastify does. The memory of its pieces is given back.
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

function joined(pieces: readonly Buffer[]): Buffer {
  const [first = NO_BODY] = pieces;
  if (pieces.length < 2) return first;
  const body = Buffer.concat(pieces);
  for (const piece of pieces) releaseMemory(piece);
  return body;
}
