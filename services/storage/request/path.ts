/** Request paths relative to the prefix of the service. */
import type { FastifyRequest } from 'fastify';

/** Returns path and query without the prefix. */
export function pathOf({ url, server }: FastifyRequest): string {
  const end = url.indexOf(SERVICE_END);
  return end === -1 || server.prefix === '' ? url : url.slice(end + SERVICE_END.length - 1);
}

/** The prefix ends with the version of the service. */
const SERVICE_END = '/v1/';
