/** Authenticates senders of broadcasts over HTTP and checks their limits, before the body is read. */
import { CatalogueError } from '@greenroom/errors';
import { clientKeys } from '@greenroom/limits';
import type { FastifyReply, FastifyRequest, preHandlerHookHandler } from 'fastify';
import type { Session } from '../authorize/token.ts';
import type { Context } from '../context.ts';
import { rateHeaders } from './rate.ts';

/** A sender with a valid token whose limits are not exhausted. */
export interface Sender {
  session: Session;
  /** Keys of the limits per client; empty if they do not apply. */
  keys: readonly string[];
}

const senders = new WeakMap<FastifyRequest, Sender>();
const UNAUTHORIZED = { message: 'Unauthorized' };

/**
 * Creates an `onRequest` hook that responds with 401 if the token is missing or invalid, and with 429 and `message` if
 * limits are exhausted. The bodies of refused requests are never parsed.
 */
export function authenticateSender(context: Context, message: string): preHandlerHookHandler {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(rateHeaders(context));
    const session = await sessionOf(context, request);
    if (session === undefined) return reply.code(401).send(UNAUTHORIZED);
    request.userId = session.subject || undefined;
    // Every 429 response of these routes comes from a limit of broadcasts.
    request.limit = 'broadcasts';
    const { isCounted, clientAddress: address } = request;
    const keys = isCounted ? clientKeys({ account: session.subject || undefined, address }) : [];
    const { events, bytes } = context.limits;
    const now = performance.now();
    const isExhausted = [events, bytes].some((rate) => rate.exhaustedBy(keys, now) !== undefined);
    if (isExhausted) return reply.code(429).send({ message });
    senders.set(request, { session, keys });
  };
}

/** Returns the sender that {@link authenticateSender} has authenticated, and charges it for the bytes of the body. */
export function senderOf(context: Context, request: FastifyRequest): Sender {
  const sender = senders.get(request);
  if (sender === undefined) throw new Error('the request was not authenticated');
  const size = request.body instanceof Buffer ? request.body.length : 0;
  context.limits.bytes.charge(sender.keys, performance.now(), size);
  return sender;
}

/** Verifies the bearer token, or the token of the API key if there is no bearer token. */
async function sessionOf(context: Context, request: FastifyRequest): Promise<Session | undefined> {
  const { bearer, apiKey } = request.credentials;
  const token = bearer ?? apiKey?.token;
  if (token === undefined) return undefined;
  return context.readToken(token).catch((error: unknown) => {
    if (error instanceof CatalogueError) return undefined;
    throw error;
  });
}
