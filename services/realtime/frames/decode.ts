/**
 * Decodes frames. Pure. Malformed data results in undefined.
 *
 * Version 1.0.0: `{"topic", "event", "payload", "ref", "join_ref"?}`.
 * Version 2.0.0: `[join_ref, ref, topic, event, payload]`, or binary, with one-byte lengths that count bytes:
 *   3: joinRefLen refLen topicLen eventLen metaLen encoding, then joinRef ref topic event meta payload (user broadcast)
 *   0: joinRefLen refLen topicLen eventLen, then joinRef ref topic event data (push of Phoenix)
 */
import { ENCODING, type Frame, type UserBroadcast, type Version } from './frame.ts';
import { isJson, isObject, memberText } from './json.ts';

const KIND = { push: 0, userBroadcastPush: 3 } as const;
/** Whitespace in JSON (RFC 8259 §2). */
const WHITESPACE = ' \t\n\r';

/** Decodes a frame of the given version. Returns undefined if the data is malformed. */
export function decodeFrame(version: Version, data: Buffer, isBinary: boolean): Frame | undefined {
  try {
    if (isBinary) return version === '2.0.0' ? decodeBinary(data, isJson) : undefined;
    const text = data.toString('utf8');
    return version === '2.0.0' ? decodeArray(text) : decodeObject(text);
  } catch {
    // The data is not JSON, not UTF-8, or nested too deeply for JSON.parse.
    return undefined;
  }
}

function decodeObject(text: string): Frame | undefined {
  const message: unknown = JSON.parse(text);
  if (!isObject(message)) return undefined;
  const { topic, event, payload, ref, join_ref: joinRef = null } = message;
  if (typeof topic !== 'string' || typeof event !== 'string' || payload === undefined) return undefined;
  if (!isRef(ref) || !isRef(joinRef)) return undefined;
  const payloadText = memberText(text, 'payload') ?? 'null';
  return { joinRef, ref, topic, event, payload: { kind: 'json', value: payload, text: payloadText } };
}

/** Parses the four short fields one by one. The rest is the text of the payload, which need not be serialized again. */
function decodeArray(text: string): Frame | undefined {
  const start = skipWhitespace(text, 0);
  if (text[start] !== '[') return undefined;
  const fields: (string | null)[] = [];
  let at = start + 1;
  while (fields.length < 4) {
    const end = endOfField(text, skipWhitespace(text, at));
    if (end === undefined) return undefined;
    const field: unknown = JSON.parse(text.slice(at, end));
    if (!isRef(field)) return undefined;
    fields.push(field);
    at = skipWhitespace(text, end);
    if (text[at] !== ',') return undefined;
    at += 1;
  }
  const last = text.lastIndexOf(']');
  if (skipWhitespace(text, last + 1) !== text.length) return undefined;
  const [joinRef = null, ref = null, topic, event] = fields;
  if (typeof topic !== 'string' || typeof event !== 'string') return undefined;
  const payload = text.slice(at, last);
  return { joinRef, ref, topic, event, payload: { kind: 'json', value: JSON.parse(payload), text: payload } };
}

function skipWhitespace(text: string, from: number): number {
  let at = from;
  while (at < text.length && WHITESPACE.includes(text[at] ?? '')) at += 1;
  return at;
}

/** Returns the end of the string or null that begins at `from`; undefined for any other value. */
function endOfField(text: string, from: number): number | undefined {
  if (text.startsWith('null', from)) return from + 4;
  if (text[from] !== '"') return undefined;
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return undefined;
}

function isRef(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

/** Decodes a binary frame. @param isValid checks the bytes of a JSON payload */
export function decodeBinary(data: Buffer, isValid: (bytes: Buffer) => boolean): Frame | undefined {
  if (data[0] === KIND.userBroadcastPush) return decodeUserBroadcast(data, isValid);
  if (data[0] !== KIND.push) return undefined;
  const [joinRef, ref, topic, event] = fieldsOf(data, 4, 5);
  if (topic === undefined || event === undefined) return undefined;
  return { joinRef: joinRef || null, ref: ref || null, topic, event, payload: { kind: 'opaque' } };
}

function decodeUserBroadcast(data: Buffer, isValid: (bytes: Buffer) => boolean): Frame | undefined {
  const encoding = data[6];
  const [joinRef, ref, topic, event, meta, end] = fieldsOf(data, 5, 7);
  if (topic === undefined || event === undefined || meta === undefined) return undefined;
  if (encoding !== ENCODING.bytes && encoding !== ENCODING.json) return undefined;
  const bytes = data.subarray(Number(end));
  // Invalid JSON would make frames to the receivers invalid, because it becomes a part of them.
  if (encoding === ENCODING.json && !isValid(bytes)) return undefined;
  if (meta !== '' && !isObject(JSON.parse(meta))) return undefined;
  const payload: UserBroadcast = { kind: 'user-broadcast', event, meta, encoding, bytes };
  return { joinRef: joinRef || null, ref: ref || null, topic, event: 'broadcast', payload };
}

/** Returns the strings whose `count` lengths begin at the second byte, followed by the offset after the last string. */
function fieldsOf(data: Buffer, count: number, headerBytes: number): string[] {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const fields: string[] = [];
  let at = headerBytes;
  for (let index = 1; index <= count; index += 1) {
    const end = at + (data[index] ?? 0);
    if (end > data.length) return [];
    fields.push(utf8.decode(data.subarray(at, end)));
    at = end;
  }
  return [...fields, String(at)];
}
