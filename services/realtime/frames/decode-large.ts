/**
 * Decodes large frames in slices. Broadcasts are validated and forwarded as bytes. The payload of any other event is
 * parsed unless it exceeds `LARGE_BYTES`.
 */
import { decodeBinary } from './decode.ts';
import { ENCODING, type Frame, type JsonPayload, type LargePayload, type Version } from './frame.ts';
import type { JsonSpan } from './json-scanner.ts';
import { isObjectJson, LARGE_BYTES, parseSpan, scanJson } from './scan.ts';

/**
 * Larger frames are scanned first. 1.0.0 has a lower limit: it parses objects twice, and a third time for long numbers.
 */
const SCANNED_BYTES: Readonly<Record<Version, number>> = { '1.0.0': 4096, '2.0.0': 16_384 };
/** Maximum size of a topic, event or ref as JSON. */
const MAX_FIELD_JSON_BYTES = 4096;
const FIELDS = ['join_ref', 'ref', 'topic', 'event', 'payload'] as const;

/** Whether a frame must be decoded by {@link decodeLargeFrame}. */
export function isLargeFrame(version: Version, data: Buffer, isBinary: boolean): boolean {
  if (data.length <= SCANNED_BYTES[version]) return false;
  // Binary payloads are forwarded unchanged and need no scan. The seventh byte of a broadcast is its encoding.
  return !isBinary || (version === '2.0.0' && data[6] === ENCODING.json);
}

/** Decodes a frame of the given version. Resolves with undefined if the data is malformed. */
export async function decodeLargeFrame(
  version: Version,
  data: Buffer,
  isBinary: boolean,
): Promise<Frame | undefined> {
  if (!isBinary) return decodeText(version, data);
  const frame = decodeBinary(data, () => true);
  if (frame?.payload.kind !== 'user-broadcast') return frame;
  return (await scanJson(frame.payload.bytes)) ? frame : undefined;
}

async function decodeText(version: Version, data: Buffer): Promise<Frame | undefined> {
  const spans = new Map<string, JsonSpan>();
  let elements = 0;
  const onValue = (depth: number, span: JsonSpan, key: JsonSpan | undefined) => {
    if (depth !== 1) return;
    const name = key === undefined ? FIELDS[elements] : nameOf(data, key);
    elements += 1;
    if (name !== undefined) spans.set(name, span);
  };
  if (!(await scanJson(data, { depth: 1, onValue }))) return undefined;
  if (isObjectJson(data) !== (version === '1.0.0')) return undefined;
  if (version === '2.0.0' && elements !== FIELDS.length) return undefined;
  const [joinRef = null, ref, topic, event] = FIELDS.map((name) => fieldOf(data, spans.get(name)));
  const payload = spans.get('payload');
  if (typeof topic !== 'string' || typeof event !== 'string' || payload === undefined) return undefined;
  if (!isRef(ref) || !isRef(joinRef)) return undefined;
  const bytes = data.subarray(payload.start, payload.end);
  return { joinRef, ref, topic, event, payload: payloadOf(event, bytes) };
}

function payloadOf(event: string, bytes: Buffer): JsonPayload | LargePayload {
  if (event === 'broadcast' || bytes.length > LARGE_BYTES) {
    return { kind: 'large', bytes, isObject: isObjectJson(bytes) };
  }
  const text = bytes.toString('utf8');
  return { kind: 'json', value: JSON.parse(text), text };
}

function nameOf(data: Buffer, key: JsonSpan): string | undefined {
  return key.end - key.start > MAX_FIELD_JSON_BYTES ? undefined : String(parseSpan(data, key));
}

function fieldOf(data: Buffer, span: JsonSpan | undefined): unknown {
  if (span === undefined || span.end - span.start > MAX_FIELD_JSON_BYTES) return undefined;
  return parseSpan(data, span);
}

function isRef(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
