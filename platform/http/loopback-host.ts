/** The host that a request was sent to, for responses that only this machine may read. */
import { isLoopback } from '@greenroom/limits';
import type { FastifyRequest } from 'fastify';

/**
 * Whether the header `Host` names this machine. A page of another site can make its own domain resolve to 127.0.0.1 and
 * so read responses of this server (DNS rebinding); the browser then still sends that domain as the host.
 */
export function isSentToLoopback({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const url = URL.parse(`http://${headers.host ?? ''}`);
  if (url === null) return false;
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  return hostname === 'localhost' || hostname.endsWith('.localhost') || isLoopback(hostname);
}
