/**
 * The binary format of messages between nodes. Pure. An entry consists of the length of the header in four bytes, the
 * header (a JSON list of messages), and the concatenated payloads of its broadcasts, whose lengths are in the header.
 */
import { isUtf8 } from 'node:buffer';
import { ENCODING, type Encoding, fitsField } from '../frames/frame.ts';
import { isJson, isObject } from '../frames/json.ts';
import { LARGE_BYTES } from '../frames/scan.ts';
import type { Broadcast, BroadcastMessage, BusMessage, PresenceMessage } from '../hub/bus.ts';
import { TOPIC_PREFIX, type Topic } from '../hub/topic.ts';
import type { Presence } from '../presence/presence.ts';

/** The presences of one node in one topic. */
export interface TopicPresences {
  topic: Topic;
  presences: readonly Presence[];
}

/** A message from one node to others. */
export type NodeMessage =
  | BusMessage
  /** The sender has started and requests snapshots of all nodes. */
  | { kind: 'hello' }
  /** A heartbeat, with the sender's number of presences. */
  | { kind: 'beat'; presences: number }
  /** A request for a snapshot of the node `of`. */
  | { kind: 'ask'; of: string }
  /** A part of all presences of the sender, for the nodes in `to`; for all nodes if `to` is empty. */
  | { kind: 'snapshot'; to: string[]; isFirst: boolean; isLast: boolean; rooms: TopicPresences[] }
  /** The last message of a node. */
  | { kind: 'bye' };

/** An entry violates the format. */
export class MalformedEntry extends Error {
  override readonly name = 'MalformedEntry';
}

const LENGTH_BYTES = 4;

/** Encodes messages. `except` of a broadcast is left out, because it names a channel of this node. */
export function encodeEntry(messages: readonly NodeMessage[]): Buffer {
  const payloads: Buffer[] = [];
  const headers = messages.map((message) => {
    if (message.kind !== 'broadcast') return message;
    const { topic, broadcast } = message;
    const payload = bytesOf(broadcast);
    payloads.push(payload);
    if (broadcast.kind === 'text') return { kind: 'text', topic, length: payload.length };
    const { event, meta, encoding } = broadcast;
    return { kind: 'user-broadcast', topic, event, meta, encoding, length: payload.length };
  });
  const header = Buffer.from(JSON.stringify(headers));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(header.length);
  return Buffer.concat([length, header, ...payloads]);
}

/** Decodes an entry. Throws {@link MalformedEntry} if any part of it is invalid. */
export function decodeEntry(bytes: Buffer): NodeMessage[] {
  const { headers, payloads } = split(bytes);
  let at = 0;
  const messages = headers.map((header) => {
    const message = isObject(header) ? header : {};
    const length = lengthOf(message);
    at += length;
    if (at > payloads.length) throw new MalformedEntry('a payload is missing');
    return readMessage(message, payloads.subarray(at - length, at));
  });
  if (at !== payloads.length) throw new MalformedEntry('the entry is longer than its header states');
  return messages;
}

function bytesOf(broadcast: Broadcast): Buffer {
  if (broadcast.kind !== 'text') return broadcast.bytes;
  return typeof broadcast.payload === 'string' ? Buffer.from(broadcast.payload) : broadcast.payload;
}

function split(bytes: Buffer): { headers: unknown[]; payloads: Buffer } {
  if (bytes.length < LENGTH_BYTES) throw new MalformedEntry('the header is missing');
  const end = LENGTH_BYTES + bytes.readUInt32BE();
  if (end > bytes.length) throw new MalformedEntry('the header is incomplete');
  const headers = parse(bytes.toString('utf8', LENGTH_BYTES, end));
  if (!Array.isArray(headers)) throw new MalformedEntry('the header is not a list');
  return { headers, payloads: bytes.subarray(end) };
}

function lengthOf({ kind, length }: Record<string, unknown>): number {
  if (kind !== 'text' && kind !== 'user-broadcast') return 0;
  return requireCount(length);
}

function readMessage(message: Record<string, unknown>, payload: Buffer): NodeMessage {
  switch (message.kind) {
    case 'text':
    case 'user-broadcast':
      return readBroadcast(message, payload);
    case 'presence':
      return readPresence(message);
    case 'hello':
      return { kind: 'hello' };
    case 'beat':
      return { kind: 'beat', presences: requireCount(message.presences) };
    case 'ask':
      return { kind: 'ask', of: requireText(message.of) };
    case 'snapshot':
      return {
        kind: 'snapshot',
        to: requireList(message.to).map(requireText),
        isFirst: message.isFirst === true,
        isLast: message.isLast === true,
        rooms: requireList(message.rooms).map(readTopicPresences),
      };
    case 'bye':
      return { kind: 'bye' };
    default:
      throw new MalformedEntry('a message has an unknown kind');
  }
}

function readBroadcast(message: Record<string, unknown>, payload: Buffer): BroadcastMessage {
  const broadcast: Broadcast =
    message.kind === 'text'
      ? { kind: 'text', payload }
      : {
          kind: 'user-broadcast',
          event: requireField(message.event),
          meta: requireMeta(message.meta),
          encoding: requireEncoding(message.encoding),
          bytes: payload,
        };
  // Invalid JSON would make the frames that contain it invalid.
  const isJsonText = broadcast.kind === 'text' || broadcast.encoding === ENCODING.json;
  if (isJsonText && !isJsonOfNode(payload)) throw new MalformedEntry('a payload is not valid JSON');
  return { kind: 'broadcast', topic: readTopic(message.topic), broadcast };
}

/** Large payloads are not parsed: the sending node has validated them, and parsing would block the event loop. */
function isJsonOfNode(payload: Buffer): boolean {
  return payload.length > LARGE_BYTES ? isUtf8(payload) : isJson(payload);
}

function readPresence({ topic, joins, leaves }: Record<string, unknown>): PresenceMessage {
  return {
    kind: 'presence',
    topic: readTopic(topic),
    joins: requireList(joins).map(readSinglePresence),
    leaves: requireList(leaves).map(readSinglePresence),
  };
}

function readTopicPresences(topicPresences: unknown): TopicPresences {
  if (!isObject(topicPresences)) throw new MalformedEntry('the presences of a topic are not an object');
  return {
    topic: readTopic(topicPresences.topic),
    presences: requireList(topicPresences.presences).map(readSinglePresence),
  };
}

function readSinglePresence(presence: unknown): Presence {
  if (!isObject(presence)) throw new MalformedEntry('a presence is not an object');
  const meta = requireText(presence.meta);
  if (!isObject(parse(meta))) throw new MalformedEntry('the metadata of a presence is not an object');
  return { key: requireText(presence.key), ref: requireText(presence.ref), meta };
}

function readTopic(topic: unknown): Topic {
  if (!isObject(topic)) throw new MalformedEntry('a topic is missing');
  const { name, isPrivate } = topic;
  // A missing value must not default: it would deliver private messages to a public topic, or the reverse.
  if (typeof isPrivate !== 'boolean') throw new MalformedEntry('a topic is neither public nor private');
  const text = requireText(name);
  if (!fitsField(TOPIC_PREFIX + text)) throw new MalformedEntry('a topic is too long');
  return { name: text, isPrivate };
}

function requireField(value: unknown): string {
  const text = requireText(value);
  if (!fitsField(text)) throw new MalformedEntry('a string is too long');
  return text;
}

function requireMeta(value: unknown): string {
  const meta = requireField(value);
  if (meta !== '' && !isObject(parse(meta))) throw new MalformedEntry('metadata is not an object');
  return meta;
}

function requireEncoding(value: unknown): Encoding {
  if (value !== ENCODING.bytes && value !== ENCODING.json) throw new MalformedEntry('an encoding is unknown');
  return value;
}

function requireText(value: unknown): string {
  if (typeof value !== 'string') throw new MalformedEntry('a string is missing');
  return value;
}

function requireCount(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new MalformedEntry('a number is missing');
  return value as number;
}

function requireList(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new MalformedEntry('a list is missing');
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new MalformedEntry('JSON is malformed', { cause: error });
  }
}
