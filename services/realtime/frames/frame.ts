/**
 * The frames of Phoenix channels, in both versions of the protocol. A frame has a topic and an event. `ref` links a
 * reply to its push, `joinRef` links both to the join of the channel.
 */

/** Protocol version: 1.0.0 has JSON objects as frames, 2.0.0 has JSON arrays and binary frames. */
export type Version = '1.0.0' | '2.0.0';

/** A parsed JSON payload. */
export interface JsonPayload {
  kind: 'json';
  value: unknown;
  /** The JSON text of the payload with numbers exactly as the client wrote them. */
  text: string;
}

/** Encodings of the payload of a {@link UserBroadcast}, with their numbers in frames. */
export const ENCODING = { bytes: 0, json: 1 } as const;

export type Encoding = (typeof ENCODING)[keyof typeof ENCODING];

/** A broadcast with separate event and payload. */
export interface UserBroadcast {
  kind: 'user-broadcast';
  event: string;
  /** JSON object; empty for none. */
  meta: string;
  encoding: Encoding;
  /** The payload; valid JSON if `encoding` is JSON. */
  bytes: Buffer;
}

/** The payload of a binary push of Phoenix, which no handler reads. */
interface OpaquePayload {
  kind: 'opaque';
}

/** Valid JSON that is too large to be parsed on the event loop. */
export interface LargePayload {
  kind: 'large';
  bytes: Buffer;
  isObject: boolean;
}

/** A frame received from a client. */
export interface Frame {
  joinRef: string | null;
  ref: string | null;
  topic: string;
  event: string;
  payload: JsonPayload | LargePayload | UserBroadcast | OpaquePayload;
}

export interface Encoded {
  data: Buffer;
  isBinary: boolean;
}

/** Maximum bytes of a field in binary frames, whose lengths have one byte. */
const MAX_FIELD_BYTES = 255;

/** Whether a string fits into a field of binary frames. */
export function fitsField(text: string): boolean {
  return text.length <= MAX_FIELD_BYTES && Buffer.byteLength(text) <= MAX_FIELD_BYTES;
}
