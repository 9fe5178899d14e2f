/**
 * Reads frames. Pure: bytes in, a frame out, or undefined for what is none, whatever it is.
 *
 * Version 1.0.0: `{"topic", "event", "payload", "ref", "join_ref"?}`.
 * Version 2.0.0: `[join_ref, ref, topic, event, payload]`, or binary, where lengths are one byte each and count bytes:
 *   3: joinRefLen refLen topicLen eventLen metaLen encoding, then joinRef ref topic event meta payload (user broadcast)
 *   0: joinRefLen refLen topicLen eventLen, then joinRef ref topic event data (Phoenix' push)
 */
import { ENCODING, type Frame, type UserBroadcast, type Version } from './frame.ts';
import { isJson, isObject, memberText } from './json.ts';

const KIND = { push: 0, userBroadcastPush: 3 } as const;
/** JSON's blanks (RFC 8259 §2). */
const BLANKS = ' \t\n\r';

/** Reads a frame as the socket's version has them. */
export function decodeFrame(version: Version, data: Buffer, isBinary: boolean): Frame | undefined {
  try {
    if (isBinary) return version === '2.0.0' ? decodeBinary(data, isJson) : undefined;
    const text = data.toString('utf8');
    return version === '2.0.0' ? decodeArray(text) : decodeObject(text);
  } catch {
    // No JSON, no UTF-8, or nested more deeply than anybody reads.
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

/** The payload is everything after four short fields, so its own text is known without writing it anew. */
function decodeArray(text: string): Frame | undefined {
  const start = skipBlanks(text, 0);
  if (text[start] !== '[') return undefined;
  const fields: (string | null)[] = [];
  let at = start + 1;
  while (fields.length < 4) {
    const end = endOfField(text, skipBlanks(text, at));
    if (end === undefined) return undefined;
    const field: unknown = JSON.parse(text.slice(at, end));
    if (!isRef(field)) return undefined;
    fields.push(field);
    at = skipBlanks(text, end);
    if (text[at] !== ',') return undefined;
    at += 1;
  }
  const last = text.lastIndexOf(']');
  if (skipBlanks(text, last + 1) !== text.length) return undefined;
  const [joinRef = null, ref = null, topic, event] = fields;
  if (typeof topic !== 'string' || typeof event !== 'string') return undefined;
  const payload = text.slice(at, last);
  return { joinRef, ref, topic, event, payload: { kind: 'json', value: JSON.parse(payload), text: payload } };
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && BLANKS.includes(text[at] ?? '')) at += 1;
  return at;
}

/** Where a text or null that begins at `from` ends. */
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

/** Reads a binary frame. @param isValid checks the bytes of a JSON payload */
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
  // What is no JSON would break the receivers, who read it as a part of a frame.
  if (encoding === ENCODING.json && !isValid(bytes)) return undefined;
  if (meta !== '' && !isObject(JSON.parse(meta))) return undefined;
  const payload: UserBroadcast = { kind: 'user-broadcast', event, meta, encoding, bytes };
  return { joinRef: joinRef || null, ref: ref || null, topic, event: 'broadcast', payload };
}

/** The texts of a header with `count` lengths from the second byte on, and last of all where they end. */
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
