/** Broadcasts over HTTP: a batch of messages, or a single message whose payload is the body. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { QueueFullError } from '@greenroom/limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { runCheck } from '../authorize/checks.ts';
import { writePermissions } from '../authorize/policies.ts';
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { ENCODING, fitsField, type UserBroadcast } from '../frames/frame.ts';
import { isJson } from '../frames/json.ts';
import { isObjectJson, LARGE_BYTES, scanJson } from '../frames/scan.ts';
import type { Broadcast } from '../hub/bus.ts';
import { deliveryCost } from '../hub/deliveries.ts';
import { TOPIC_PREFIX, type Topic } from '../hub/topic.ts';
import { type BatchMessage, readBatch } from './batch.ts';
import { type Sender, senderOf } from './sender.ts';

const NOT_JSON = { error: 'The body is not valid JSON' };
/** The response to a body of an unsupported type. */
export const UNSUPPORTED_TYPE = {
  error: 'Unsupported Media Type. Use application/json or application/octet-stream',
};
/** The response to a body that is too large. */
export const TOO_LARGE = { message: 'Payload size exceeds tenant limit' };
/** Messages of the responses to senders above their limits. */
export const BATCH_LIMIT = 'You have exceeded your rate limit';
export const SINGLE_LIMIT = 'Too many requests';
const TOO_MANY = { message: 'Too many messages to broadcast, please reduce the batch size' };
/** Number of topics of a batch whose policies are evaluated concurrently. */
const CONCURRENT_TOPICS = 4;
/** A batch yields to the event loop after deliveries of this cost, which take a few milliseconds. */
const SLICE_COST = 250;

/** Handles `POST /api/broadcast`. Silently drops messages that the sender may not send. */
export async function broadcastBatch(context: Context, request: FastifyRequest, reply: FastifyReply) {
  const sender = senderOf(context, request);
  const { config, limits } = context;
  const body = request.body instanceof Buffer ? request.body : Buffer.alloc(0);
  const batch = await queueIfLarge(context, sender, body.length > LARGE_BYTES, () =>
    readBatch(body, {
      payloadBytes: config.maxPayloadBytes,
      messages: Math.min(config.maxBatchMessages, config.maxEventsPerSecond),
    }),
  );
  if (batch.kind === 'not JSON') return reply.code(400).send(NOT_JSON);
  if (batch.kind === 'too many') return reply.code(429).send(TOO_MANY);
  if (batch.kind === 'invalid') return reply.code(422).send({ errors: batch.errors });
  const cost = batch.messages.reduce((sum, message) => sum + costOf(context, message), 0);
  const exceedsLimit = batch.messages.length > 1 && !limits.events.has(sender.keys, performance.now(), cost);
  if (exceedsLimit) return reply.code(429).send(TOO_MANY);
  const names = new Set(batch.messages.filter(({ isPrivate }) => isPrivate).map(({ topic }) => topic));
  // A policy check costs about as much as a join.
  const isOverLimit = names.size > 0 && limits.joins.take(sender.keys, performance.now(), names.size);
  if (isOverLimit) return reply.code(429).send({ message: BATCH_LIMIT });
  const allowed = await writableTopics(context, sender, [...names]);
  const sent = batch.messages.filter(({ isPrivate, topic }) => !isPrivate || allowed.has(topic));
  await publishAll(context, sender, sent);
  return reply.code(202).send();
}

/** The request of a single message. */
export type SingleRequest = FastifyRequest<{
  Params: { topic: string; event: string };
  Querystring: { private?: string };
}>;

/** Handles `POST /api/broadcast/{topic}/events/{event}`. */
export async function broadcastSingle(context: Context, request: SingleRequest, reply: FastifyReply) {
  const sender = senderOf(context, request as unknown as FastifyRequest);
  const { topic: name, event } = request.params;
  const topic = { name, isPrivate: request.query.private === 'true' };
  if (name === '' || event === '' || !fitsField(TOPIC_PREFIX + name) || !fitsField(event)) {
    return reply
      .code(422)
      .send({ error: 'Topic and event must have 1 to 255 bytes each, including the prefix of the topic' });
  }
  const encoding = encodingOf(request.headers['content-type']);
  if (encoding === undefined) return reply.code(415).send(UNSUPPORTED_TYPE);
  const body = request.body instanceof Buffer ? request.body : Buffer.alloc(0);
  if (body.length > context.config.maxPayloadBytes) return reply.code(413).send(TOO_LARGE);
  const isValid = encoding === ENCODING.bytes || (await isJsonBody(context, sender, body));
  if (!isValid) return reply.code(400).send(NOT_JSON);
  const bytes = encoding === ENCODING.json ? asObject(body) : body;
  const isOverLimit =
    topic.isPrivate && context.limits.joins.take(sender.keys, performance.now()) !== undefined;
  if (isOverLimit) return reply.code(429).send({ message: SINGLE_LIMIT });
  if (topic.isPrivate && !(await canWrite(context, sender, name))) {
    return reply.code(403).send({ message: 'Unauthorized' });
  }
  await publish(context, sender, topic, { kind: 'user-broadcast', event, meta: '', encoding, bytes });
  return reply.code(202).send();
}

/** Maps the content type to an encoding: JSON if it is missing, undefined if it is not supported. */
function encodingOf(contentType: string | undefined): UserBroadcast['encoding'] | undefined {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  if (type === undefined || type === '' || type === 'application/json') return ENCODING.json;
  return type === 'application/octet-stream' ? ENCODING.bytes : undefined;
}

async function isJsonBody(context: Context, sender: Sender, body: Buffer): Promise<boolean> {
  if (body.length <= LARGE_BYTES) return isJson(body);
  return queueIfLarge(context, sender, body.length > LARGE_BYTES, () => scanJson(body));
}

/** Returns an object unchanged and wraps any other JSON value in an object as `_json`. */
function asObject(body: Buffer): Buffer {
  if (isObjectJson(body)) return body;
  return Buffer.concat([Buffer.from('{"_json":'), body, Buffer.from('}')]);
}

/** Runs small work at once, and large work when the client's place in the fair queue is reached. */
async function queueIfLarge<T>(
  { limits }: Context,
  { keys }: Sender,
  isLarge: boolean,
  work: () => Promise<T>,
): Promise<T> {
  if (!isLarge) return work();
  try {
    return await limits.slices.run(keys, work);
  } catch (error) {
    throw error instanceof QueueFullError ? failure('MessagePerSecondRateLimitReached') : error;
  }
}

/** Returns those of the private topics that the sender may write to. */
async function writableTopics(context: Context, sender: Sender, names: string[]): Promise<Set<string>> {
  const allowed = new Set<string>();
  for (let from = 0; from < names.length; from += CONCURRENT_TOPICS) {
    const slice = names.slice(from, from + CONCURRENT_TOPICS);
    const isWritable = await Promise.all(slice.map((name) => canWrite(context, sender, name)));
    for (const [index, name] of slice.entries()) if (isWritable[index]) allowed.add(name);
  }
  return allowed;
}

async function canWrite(context: Context, { session, keys }: Sender, topic: string): Promise<boolean> {
  const { database, limits, log } = context;
  const policyRequest = { topic, session, headers: '{}', checksPresence: false };
  const check = () =>
    writePermissions(database, policyRequest, (error) =>
      log.warn({ err: error }, 'a policy on realtime.messages failed; access is denied'),
    ).catch((error: unknown) => {
      throw failure('UnableToConnectToProject', { cause: error });
    });
  return (await runCheck(limits.policyChecks, keys, check)).broadcast;
}

/** Publishes messages in order and yields between slices. Resolves when all nodes have them. */
async function publishAll(
  context: Context,
  sender: Sender,
  messages: readonly BatchMessage[],
): Promise<void> {
  const published: (void | Promise<void>)[] = [];
  let used = 0;
  for (const message of messages) {
    const { topic: name, event, payload, isPrivate } = message;
    const topic = { name, isPrivate };
    const cost = costOf(context, message);
    if (used > 0 && used + cost > SLICE_COST) {
      used = 0;
      await nextTurn();
    }
    // Waits for earlier deliveries, so that a large batch does not fill the queue of the topic.
    while (context.hub.isBusy(topic)) await nextTurn();
    used += cost;
    const head = Buffer.from(`{"type":"broadcast","event":${JSON.stringify(event)},"payload":`);
    const text = Buffer.concat([head, payload, Buffer.from('}')]);
    published.push(publish(context, sender, topic, { kind: 'text', payload: text }));
  }
  await Promise.all(published);
}

function costOf({ hub }: Context, { topic: name, isPrivate, payload }: BatchMessage): number {
  return deliveryCost(hub.membersOf({ name, isPrivate }), payload.length);
}

/** Publishes a broadcast and charges the sender for all deliveries on this node. */
function publish(
  { hub, limits, rates }: Context,
  { keys }: Sender,
  topic: Topic,
  broadcast: Broadcast,
): void | Promise<void> {
  const { length } = broadcast.kind === 'text' ? broadcast.payload : broadcast.bytes;
  rates.events.add();
  limits.events.chargeClient(keys, performance.now(), deliveryCost(hub.membersOf(topic), length));
  return hub.publish({ kind: 'broadcast', topic, broadcast });
}
