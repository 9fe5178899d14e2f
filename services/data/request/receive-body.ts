/** Receives request bodies. The caller releases the memory of a large body after the response. */
import type { Readable } from 'node:stream';
import { releaseMemory } from '@greenroom/postgres';
import { MAX_BODY_BYTES, tooLarge } from './body.ts';

const NO_BODY = Buffer.alloc(0);

/** A larger body must be authorized before the rest of it is received. */
export const MAX_UNAUTHORIZED_BYTES = 64 * 1024;

/** The callback, called once with the body or an error. */
type BodyReceived = (error: Error | null, body?: Buffer) => void;

/** Options of {@link receiveBody}. */
interface BodyReception {
  /** The header Content-Length. */
  contentLength: string | undefined;
  /** Authorizes a body of more than {@link MAX_UNAUTHORIZED_BYTES}. False ignores the body; an error refuses it. */
  authorize: () => Promise<boolean>;
}

/** Receives a body for a content type parser of Fastify. Releases the memory of the chunks after joining them. */
export function receiveBody(
  payload: Readable,
  { contentLength, authorize }: BodyReception,
  done: BodyReceived,
): void {
  if (Number(contentLength) > MAX_BODY_BYTES) {
    done(tooLarge());
    return;
  }
  const chunks: Buffer[] = [];
  let length = 0;
  let isAuthorized = false;
  let isOver = false;
  payload.on('end', finish).on('error', fail);
  if (Number(contentLength) > MAX_UNAUTHORIZED_BYTES) requestAuthorization();
  else payload.on('data', receive);

  function requestAuthorization(): void {
    isAuthorized = true;
    authorize().then((isGranted) => {
      if (isOver) return;
      if (isGranted) {
        payload.on('data', receive).resume();
        return;
      }
      stop();
      done(null, NO_BODY);
    }, fail);
  }

  function receive(chunk: Buffer): void {
    length += chunk.length;
    chunks.push(chunk);
    if (length > MAX_BODY_BYTES) fail(tooLarge());
    if (length <= MAX_UNAUTHORIZED_BYTES || isAuthorized) return;
    payload.off('data', receive).pause();
    requestAuthorization();
  }

  function finish(): void {
    stop();
    done(null, joined(chunks));
  }

  function fail(error: Error): void {
    if (isOver) return;
    stop();
    done(error);
  }

  function stop(): void {
    isOver = true;
    payload.off('data', receive).off('end', finish).off('error', fail);
  }
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [first = NO_BODY] = chunks;
  if (chunks.length < 2) return first;
  const body = Buffer.concat(chunks);
  for (const chunk of chunks) releaseMemory(chunk);
  return body;
}
