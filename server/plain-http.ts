/** Plain HTTP next to HTTPS: responds to the checks of an authority (HTTP-01), and redirects all other requests. */
import { createHttpServer, type HttpServerOptions } from '@greenroom/http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** RFC 8555 section 8.3. */
const CHALLENGE_PATH = '/.well-known/acme-challenge/';

/** Options of {@link createPlainHttpServer}. */
interface PlainHttpOptions extends HttpServerOptions {
  /** Host names of the server. */
  domains: readonly [string, ...string[]];
  /** The responses to challenges, by their tokens. */
  challenges: ReadonlyMap<string, string>;
}

/** Creates the server. It does not listen yet. */
export function createPlainHttpServer({
  domains,
  challenges,
  ...options
}: PlainHttpOptions): FastifyInstance {
  const server = createHttpServer(options);
  // A hook, because it responds before a body is read.
  server.addHook('onRequest', async (request, reply) => {
    const { url } = request;
    if (!url.startsWith(CHALLENGE_PATH)) return redirect(request, reply, domains);
    const response = challenges.get(url.slice(CHALLENGE_PATH.length));
    reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8');
    return response === undefined ? reply.code(404).send('Not found\n') : reply.send(response);
  });
  return server;
}

/** Redirects to the same path of a domain of this server: the `Host` header must not choose any other site. */
function redirect(
  request: FastifyRequest,
  reply: FastifyReply,
  domains: PlainHttpOptions['domains'],
): FastifyReply {
  const requested = request.hostname.toLowerCase();
  const host = domains.find((domain) => domain === requested) ?? domains[0];
  // Unlike 301, it keeps the method.
  return reply.redirect(`https://${host}${request.url}`, 308);
}
