/** Broadcasts over HTTP: a batch of messages, or one whose body is its payload. */
import { CatalogueError } from '@greenroom/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { writePermissions } from '../authorize/policies.ts';
import type { Session } from '../authorize/token.ts';
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { ENCODING, fitsField, type UserBroadcast } from '../frames/frame.ts';
import { isObject } from '../frames/json.ts';
import { TOPIC_PREFIX, type Topic } from '../hub/topic.ts';
import { type BatchMessage, parseBatch } from './batch.ts';
import { isOverLimit, rateHeaders } from './rate.ts';

const UNAUTHORIZED = { message: 'Unauthorized' };
const NOT_JSON = { error: 'The body is not valid JSON' };
/** What is said of bodies of other types, and of those that are too large. */
export const WRONG_TYPE = {
  error: 'Unsupported Media Type. Use application/json or application/octet-stream',
};
export const TOO_LARGE = { message: 'Payload size exceeds tenant limit' };
/** Policies are asked for so many topics of a batch at once. */
const TOPICS_AT_ONCE = 4;

/** Answers `POST /api/broadcast`. What somebody may not send is left out without a word. */
export async function broadcastBatch(context: Context, request: FastifyRequest, reply: FastifyReply) {
  reply.headers(rateHeaders(context));
  const session = await sessionOf(context, request);
  if (session === undefined) return reply.code(401).send(UNAUTHORIZED);
  const body = parseJson(request.body);
  if (body === undefined) return reply.code(400).send(NOT_JSON);
  const batch = parseBatch(body.value, context.config.maxPayloadBytes);
  if (!batch.isValid) return reply.code(422).send({ errors: batch.errors });
  if (isOverLimit(context)) return reply.code(429).send({ message: 'You have exceeded your rate limit' });
  if (batch.messages.length > context.config.maxEventsPerSecond) {
    return reply.code(429).send({ message: 'Too many messages to broadcast, please reduce the batch size' });
  }
  const allowed = await writableTopics(context, session, batch.messages);
  const sent = batch.messages.filter(({ isPrivate, topic }) => !isPrivate || allowed.has(topic));
  await Promise.all(sent.map((message) => publishText(context, message)));
  return reply.code(202).send();
}

/** A request for one message. */
export type SingleRequest = FastifyRequest<{
  Params: { topic: string; event: string };
  Querystring: { private?: string };
}>;

/** Answers `POST /api/broadcast/{topic}/events/{event}`. */
export async function broadcastSingle(context: Context, request: SingleRequest, reply: FastifyReply) {
  reply.headers(rateHeaders(context));
  const session = await sessionOf(context, request as unknown as FastifyRequest);
  if (session === undefined) return reply.code(401).send(UNAUTHORIZED);
  const { topic: name, event } = request.params;
  const topic = { name, isPrivate: request.query.private === 'true' };
  if (name === '' || event === '' || !fitsField(TOPIC_PREFIX + name) || !fitsField(event)) {
    return reply.code(422).send({ error: 'Topic and event have 1 to 255 bytes, the topic with its prefix' });
  }
  const encoding = encodingOf(request.headers['content-type']);
  if (encoding === undefined) return reply.code(415).send(WRONG_TYPE);
  const sent = request.body instanceof Buffer ? request.body : Buffer.alloc(0);
  const bytes = encoding === ENCODING.json ? jsonPayload(sent) : sent;
  if (bytes === undefined) return reply.code(400).send(NOT_JSON);
  if (bytes.length > context.config.maxPayloadBytes) {
    return reply.code(413).send(TOO_LARGE);
  }
  if (isOverLimit(context)) return reply.code(429).send({ message: 'Too many requests' });
  if (topic.isPrivate && !(await canWrite(context, session, name))) return reply.code(403).send(UNAUTHORIZED);
  await publish(context, topic, { kind: 'user-broadcast', event, meta: '', encoding, bytes });
  return reply.code(202).send();
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

/** A body without a type is taken for JSON. */
function encodingOf(contentType: string | undefined): UserBroadcast['encoding'] | undefined {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  if (type === undefined || type === '' || type === 'application/json') return ENCODING.json;
  return type === 'application/octet-stream' ? ENCODING.bytes : undefined;
}

/** An object is passed on as it was written; whatever else it is, is a member of one. */
function jsonPayload(sent: Buffer): Buffer | undefined {
  const json = parseJson(sent);
  if (json === undefined) return undefined;
  if (isObject(json.value)) return sent;
  return Buffer.concat([Buffer.from('{"_json":'), sent, Buffer.from('}')]);
}

function parseJson(body: unknown): { value: unknown } | undefined {
  if (!(body instanceof Buffer)) return undefined;
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)) };
  } catch {
    return undefined;
  }
}

/** Names of the private topics of a batch that somebody may send to. */
async function writableTopics(
  context: Context,
  session: Session,
  messages: readonly BatchMessage[],
): Promise<Set<string>> {
  const names = [...new Set(messages.filter(({ isPrivate }) => isPrivate).map(({ topic }) => topic))];
  const allowed = new Set<string>();
  for (let from = 0; from < names.length; from += TOPICS_AT_ONCE) {
    const asked = names.slice(from, from + TOPICS_AT_ONCE);
    const answers = await Promise.all(asked.map((name) => canWrite(context, session, name)));
    for (const [index, name] of asked.entries()) if (answers[index]) allowed.add(name);
  }
  return allowed;
}

async function canWrite({ database, log }: Context, session: Session, topic: string): Promise<boolean> {
  const question = { topic, session, headers: '{}', asksPresence: false };
  const permissions = await writePermissions(database, question, (error) =>
    log.warn({ err: error }, 'a policy on realtime.messages failed, which counts as a no'),
  ).catch((error: unknown) => {
    throw failure('UnableToConnectToProject', { cause: error });
  });
  return permissions.broadcast;
}

function publishText(
  context: Context,
  { topic: name, event, payload, isPrivate }: BatchMessage,
): void | Promise<void> {
  context.rates.events.add();
  const text = JSON.stringify({ type: 'broadcast', event, payload });
  const broadcast = { kind: 'text', payload: text } as const;
  return context.hub.publish({ kind: 'broadcast', topic: { name, isPrivate }, broadcast });
}

function publish(context: Context, topic: Topic, broadcast: UserBroadcast): void | Promise<void> {
  context.rates.events.add();
  return context.hub.publish({ kind: 'broadcast', topic, broadcast });
}
