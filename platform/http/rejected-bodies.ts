/**
 * Slows down clients that send large bodies which are rejected. The system and Node.js receive such a body in part or
 * whole before the client reads the response, so immediate responses would let a client keep the server busy.
 */
import { clientKeys, createClientBuckets } from '@greenroom/limits';
import type { FastifyRequest } from 'fastify';
import { limits } from './limits.ts';

/** Number of rejected large bodies for which a client gets an immediate response. */
const RULE = { perSecond: 5, burst: 20 };
/** Delay of each further response. */
const DELAY_MS = 1000;

/** Returns the delay of a response, in milliseconds; 0 for most. */
type RejectionDelay = (request: FastifyRequest, status: number) => number;

/** Creates the delays of a server. */
export function createRejectionDelay(): RejectionDelay {
  const rejections = createClientBuckets(RULE);
  return ({ raw, headers, isCounted, clientAddress }, status) => {
    if (status < 400 || !isCounted || raw.complete || !isLarge(headers)) return 0;
    return rejections.take(clientKeys({ address: clientAddress }), performance.now()) ? 0 : DELAY_MS;
  };
}

function isLarge(headers: FastifyRequest['headers']): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || Number(length) > limits.smallBodyBytes;
}
