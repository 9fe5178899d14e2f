/**
 * What travels over a socket: frames of Phoenix' channels, in the two forms of the protocol. A frame names a topic and an
 * event; `ref` ties a reply to its push, `joinRef` either of them to the join that they belong to.
 */

/** Version of the protocol: frames are objects in the first, arrays and binary in the second. */
export type Version = '1.0.0' | '2.0.0';

/** A payload in JSON. */
export interface JsonPayload {
  kind: 'json';
  value: unknown;
  /** As it was sent, wherever that can be told apart from the frame around it: numbers of any size stay what they are. */
  text: string;
}

/** Encodings of what a {@link UserBroadcast} carries, as they are numbered in frames. */
export const ENCODING = { bytes: 0, json: 1 } as const;

/** One of {@link ENCODING}. */
export type Encoding = (typeof ENCODING)[keyof typeof ENCODING];

/** A broadcast whose event and payload are told apart by the frame itself. */
export interface UserBroadcast {
  kind: 'user-broadcast';
  event: string;
  /** JSON; empty: none. */
  meta: string;
  encoding: Encoding;
  /** Where `encoding` says JSON, it is. */
  bytes: Buffer;
}

/** Bytes that only a channel of its own kind would understand. */
interface OpaquePayload {
  kind: 'opaque';
}

/** JSON that is valid, but too large to be parsed on the event loop. */
export interface LargePayload {
  kind: 'large';
  bytes: Buffer;
  isObject: boolean;
}

/** A frame that a client has sent. */
export interface Frame {
  joinRef: string | null;
  ref: string | null;
  topic: string;
  event: string;
  payload: JsonPayload | LargePayload | UserBroadcast | OpaquePayload;
}

/** What goes out: text, unless it says otherwise. */
export interface Encoded {
  data: Buffer;
  isBinary: boolean;
}

/** Most bytes of a field of binary frames. */
const MAX_FIELD_BYTES = 255;

/** Whether a text fits into a field of binary frames. */
export function fitsField(text: string): boolean {
  return text.length <= MAX_FIELD_BYTES && Buffer.byteLength(text) <= MAX_FIELD_BYTES;
}
