/** Who sends broadcasts over HTTP: its token, and the limits that it is counted under. Read before the body is. */
import { CatalogueError } from '@greenroom/errors';
import { clientKeys } from '@greenroom/limits';
import type { FastifyReply, FastifyRequest, preHandlerHookHandler } from 'fastify';
import type { Session } from '../authorize/token.ts';
import type { Context } from '../context.ts';
import { rateHeaders } from './rate.ts';

/** A sender whose token is good and whose limits are not exhausted. */
export interface Sender {
  session: Session;
  /** Keys of limits per client; none where these do not apply. */
  keys: readonly string[];
}

const senders = new WeakMap<FastifyRequest, Sender>();
const UNAUTHORIZED = { message: 'Unauthorized' };

/**
 * Builds a hook for `onRequest` that answers 401 without a good token, and 429 with `message` where limits are exhausted:
 * bodies of refused requests are never parsed.
 */
export function admitSender(context: Context, message: string): preHandlerHookHandler {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(rateHeaders(context));
    const session = await sessionOf(context, request);
    if (session === undefined) return reply.code(401).send(UNAUTHORIZED);
    const { isCounted, clientAddress: address } = request;
    const keys = isCounted ? clientKeys({ account: session.subject || undefined, address }) : [];
    const { events, bytes } = context.limits;
    const now = performance.now();
    const isExhausted = [events, bytes].some((rate) => rate.exhaustedBy(keys, now) !== undefined);
    if (isExhausted) return reply.code(429).send({ message });
    senders.set(request, { session, keys });
  };
}

/** The sender of a request that {@link admitSender} has let through; the bytes of its body are charged. */
export function senderOf(context: Context, request: FastifyRequest): Sender {
  const sender = senders.get(request);
  if (sender === undefined) throw new Error('the request was not admitted');
  const size = request.body instanceof Buffer ? request.body.length : 0;
  context.limits.bytes.charge(sender.keys, performance.now(), size);
  return sender;
}

/** The bearer token counts, and the API key where there is none. */
async function sessionOf(context: Context, request: FastifyRequest): Promise<Session | undefined> {
  const { bearer, apiKey } = request.credentials;
  const token = bearer ?? apiKey?.token;
  if (token === undefined) return undefined;
  return context.readToken(token).catch((error: unknown) => {
    if (error instanceof CatalogueError) return undefined;
    throw error;
  });
}
