/** Writes frames. Payloads are JSON text already: whatever many receive is put together once. */
import { ENCODING, type Encoded, type UserBroadcast, type Version } from './frame.ts';

const KIND_USER_BROADCAST = 4;

/** A frame of text. */
interface TextFrame {
  /** Not in version 1.0.0. */
  joinRef: string | null;
  ref: string | null;
  topic: string;
  event: string;
  /** JSON, as text or as UTF-8. */
  payload: string | Buffer;
}

/** Writes a frame of text. */
export function encodeText(version: Version, { joinRef, ref, topic, event, payload }: TextFrame): Encoded {
  const [join, own, name, kind] = [joinRef, ref, topic, event].map((field) => JSON.stringify(field));
  const [head, tail] =
    version === '2.0.0'
      ? [`[${join},${own},${name},${kind},`, ']']
      : [`{"topic":${name},"event":${kind},"payload":`, `,"ref":${own}}`];
  return { data: inOnePiece(head, payload, tail), isBinary: false };
}

/** Bytes are copied, and not read: text of several megabytes takes long to become UTF-8. */
function inOnePiece(head: string, payload: string | Buffer, tail: string): Buffer {
  if (typeof payload === 'string') return Buffer.from(head + payload + tail);
  return Buffer.concat([Buffer.from(head), payload, Buffer.from(tail)]);
}

/** What a reply is to, and what it says. */
interface Reply {
  joinRef: string | null;
  ref: string | null;
  topic: string;
  status: 'ok' | 'error';
  response: unknown;
}

/** Writes the reply to a push. */
export function encodeReply(version: Version, { status, response, ...frame }: Reply): Encoded {
  return encodeText(version, {
    ...frame,
    event: 'phx_reply',
    payload: JSON.stringify({ status, response }),
  });
}

/**
 * Writes a broadcast for its receivers: binary in version 2.0.0, text in 1.0.0, where bytes cannot be told: undefined.
 * Topic and event have at most 255 bytes each.
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

/** Payload of a text frame for a broadcast in JSON. */
export function broadcastPayload({ event, bytes, meta }: Omit<UserBroadcast, 'encoding' | 'kind'>): Buffer {
  const end = meta === '' ? '' : `,"meta":${meta}`;
  return inOnePiece(`{"type":"broadcast","event":${JSON.stringify(event)},"payload":`, bytes, `${end}}`);
}

function binaryBroadcast(topic: string, { event, meta, encoding, bytes }: UserBroadcast): Buffer {
  const fields = [topic, event, meta].map((field) => Buffer.from(field));
  const lengths = fields.map((field) => field.length);
  return Buffer.concat([Buffer.from([KIND_USER_BROADCAST, ...lengths, encoding]), ...fields, bytes]);
}
