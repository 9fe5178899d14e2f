/** Receives whole bodies. The memory of a large one is released when its request is answered. */
import type { Readable } from 'node:stream';
import { releaseMemory } from '@greenroom/postgres';
import { MAX_BODY_BYTES, tooLarge } from './body.ts';

const NO_BODY = Buffer.alloc(0);

/** More bytes are received only after they were admitted. */
export const ADMITTED_BYTES = 64 * 1024;

/** Called once, with the body or the error that refuses it. */
type BodyReceived = (error: Error | null, body?: Buffer) => void;

/** Options of {@link receiveBody}. */
interface BodyReception {
  /** As the request says it, if it does. */
  contentLength: string | undefined;
  /** Decides about a body of more than {@link ADMITTED_BYTES}: false ignores it, an error refuses it. */
  admit: () => Promise<boolean>;
}

/** Receives a body, as a content type parser of Fastify does. Releases the memory of its pieces. */
export function receiveBody(
  payload: Readable,
  { contentLength, admit }: BodyReception,
  done: BodyReceived,
): void {
  if (Number(contentLength) > MAX_BODY_BYTES) {
    done(tooLarge());
    return;
  }
  const pieces: Buffer[] = [];
  let length = 0;
  let isAdmitted = false;
  let isOver = false;
  payload.on('end', finish).on('error', fail);
  if (Number(contentLength) > ADMITTED_BYTES) requestAdmission();
  else payload.on('data', take);

  function requestAdmission(): void {
    isAdmitted = true;
    admit().then((isWanted) => {
      if (isOver) return;
      if (isWanted) {
        payload.on('data', take).resume();
        return;
      }
      stop();
      done(null, NO_BODY);
    }, fail);
  }

  function take(piece: Buffer): void {
    length += piece.length;
    pieces.push(piece);
    if (length > MAX_BODY_BYTES) fail(tooLarge());
    if (length <= ADMITTED_BYTES || isAdmitted) return;
    payload.off('data', take).pause();
    requestAdmission();
  }

  function finish(): void {
    stop();
    done(null, joined(pieces));
  }

  function fail(error: Error): void {
    if (isOver) return;
    stop();
    done(error);
  }

  function stop(): void {
    isOver = true;
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
