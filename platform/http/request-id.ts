/** Ids of requests, for logs and for the response header `x-request-id`. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { trustedProxyCheck } from './trusted-proxies.ts';

const HEADER = 'x-request-id';
/** Other characters could forge lines of a log. */
const ID = /^[\w.:=+/-]{1,128}$/;

/**
 * Creates the function that assigns an id to a request: the id of a trusted proxy, so that both logs can be joined,
 * otherwise a random one.
 */
export function createRequestIds(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return () => randomUUID();
  const isTrusted = trustedProxyCheck(trustedProxies);
  return ({ headers, socket }) => {
    const sent = headers[HEADER];
    const isAccepted = typeof sent === 'string' && ID.test(sent) && isTrusted(socket.remoteAddress ?? '');
    return isAccepted ? sent : randomUUID();
  };
}
