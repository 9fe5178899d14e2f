/** Encodes frames. Payloads are already JSON text, so a message to many receivers is serialized once. */
import { ENCODING, type Encoded, type UserBroadcast, type Version } from './frame.ts';

const KIND_USER_BROADCAST = 4;

/** The fields of a text frame. */
interface TextFrame {
  /** Omitted in version 1.0.0. */
  joinRef: string | null;
  ref: string | null;
  topic: string;
  event: string;
  /** JSON, as a string or as UTF-8 bytes. */
  payload: string | Buffer;
}

/** Encodes a text frame: an array in version 2.0.0, an object in version 1.0.0. */
export function encodeText(version: Version, { joinRef, ref, topic, event, payload }: TextFrame): Encoded {
  const [join, own, name, kind] = [joinRef, ref, topic, event].map((field) => JSON.stringify(field));
  const [head, tail] =
    version === '2.0.0'
      ? [`[${join},${own},${name},${kind},`, ']']
      : [`{"topic":${name},"event":${kind},"payload":`, `,"ref":${own}}`];
  return { data: concatenate(head, payload, tail), isBinary: false };
}

/** Concatenates the parts of a frame. Copies bytes without decoding, because encoding megabytes as UTF-8 is slow. */
function concatenate(head: string, payload: string | Buffer, tail: string): Buffer {
  if (typeof payload === 'string') return Buffer.from(head + payload + tail);
  return Buffer.concat([Buffer.from(head), payload, Buffer.from(tail)]);
}

/** The fields of a reply. */
interface Reply {
  joinRef: string | null;
  ref: string | null;
  topic: string;
  status: 'ok' | 'error';
  response: unknown;
}

/** Encodes the reply to a push. */
export function encodeReply(version: Version, { status, response, ...frame }: Reply): Encoded {
  return encodeText(version, {
    ...frame,
    event: 'phx_reply',
    payload: JSON.stringify({ status, response }),
  });
}

/**
 * Encodes a broadcast for its receivers: binary in version 2.0.0, text in version 1.0.0. Returns undefined for a binary
 * payload in version 1.0.0, which cannot represent it. Topic and event must not exceed 255 bytes each.
 */
export function encodeUserBroadcast(
  version: Version,
  topic: string,
  broadcast: UserBroadcast,
): Encoded | undefined {
  if (version === '2.0.0') return { data: binaryBroadcast(topic, broadcast), isBinary: true };
  if (broadcast.encoding === ENCODING.bytes) return undefined;
  return encodeText(version, {
    joinRef: null,
    ref: null,
    topic,
    event: 'broadcast',
    payload: broadcastPayload(broadcast),
  });
}

/** Returns the payload of a text frame for a broadcast with a JSON payload. */
export function broadcastPayload({ event, bytes, meta }: Omit<UserBroadcast, 'encoding' | 'kind'>): Buffer {
  const end = meta === '' ? '' : `,"meta":${meta}`;
  return concatenate(`{"type":"broadcast","event":${JSON.stringify(event)},"payload":`, bytes, `${end}}`);
}

function binaryBroadcast(topic: string, { event, meta, encoding, bytes }: UserBroadcast): Buffer {
  const fields = [topic, event, meta].map((field) => Buffer.from(field));
  const lengths = fields.map((field) => field.length);
  return Buffer.concat([Buffer.from([KIND_USER_BROADCAST, ...lengths, encoding]), ...fields, bytes]);
}
