/**
 * Parses the body of a batch of broadcasts into messages, or into the problems of each message. Payloads are not
 * changed, and large bodies are scanned in slices.
 */
import { fitsField } from '../frames/frame.ts';
import type { JsonSpan } from '../frames/json-scanner.ts';
import { isObjectJson, parseSpan, scanJson } from '../frames/scan.ts';

/** One message of a batch. */
export interface BatchMessage {
  topic: string;
  event: string;
  /** JSON of an object. */
  payload: Buffer;
  isPrivate: boolean;
}

/** Validation errors by field. */
type Problems = Record<string, string[]>;

/** A batch, or the reason for its refusal: malformed JSON, too many messages, or the problems for the response body. */
type Batch =
  | { kind: 'messages'; messages: BatchMessage[] }
  | { kind: 'not JSON' }
  | { kind: 'too many' }
  | { kind: 'invalid'; errors: { messages: (Problems | string)[] } };

/** Maximum bytes per payload and maximum number of messages. */
interface BatchLimits {
  payloadBytes: number;
  messages: number;
}

const BLANK = "can't be blank";
const INVALID = 'is invalid';
const TOO_LARGE = 'Payload size exceeds tenant limit';
/** Maximum size of a topic or event as JSON, in which each character may be a six-byte escape. */
const MAX_FIELD_JSON_BYTES = 6 * 255 + 2;
/** No known field has a longer name as JSON. */
const MAX_NAME_BYTES = 64;
const QUOTE = 0x22;

type Fields = Map<string, JsonSpan>;

/** Aborts a scan as soon as the number of messages exceeds the limit. */
class TooManyMessages extends Error {}

/** Parses a batch. Malformed bodies resolve with the reason and do not reject. */
export async function readBatch(body: Buffer, limits: BatchLimits): Promise<Batch> {
  const reader = new BatchReader(body, limits.messages);
  try {
    const isValid = await scanJson(body, { depth: 3, onValue: reader.onValue });
    if (!isValid) return { kind: 'not JSON' };
  } catch (error) {
    if (error instanceof TooManyMessages) return { kind: 'too many' };
    throw error;
  }
  const { found } = reader;
  if (found === undefined || found.length === 0) return invalid([BLANK]);
  if (found === 'no list') return invalid([INVALID]);
  const problems = found.map((fields) => problemsOf(body, fields, limits.payloadBytes));
  if (problems.some((each) => Object.keys(each).length > 0)) return invalid(problems);
  return { kind: 'messages', messages: found.map((fields) => toMessage(body, fields)) };
}

function invalid(messages: (Problems | string)[]): Batch {
  return { kind: 'invalid', errors: { messages } };
}

/** Collects the positions of the fields of all messages. The scanner reports inner values first. */
class BatchReader {
  /** The fields of each message; undefined if `messages` is missing or null. */
  found: Fields[] | 'no list' | undefined;
  readonly #body: Buffer;
  readonly #maxMessages: number;
  #elements: Fields[] = [];
  #fields: Fields = new Map();

  constructor(body: Buffer, maxMessages: number) {
    this.#body = body;
    this.#maxMessages = maxMessages;
  }

  readonly onValue = (depth: number, span: JsonSpan, key: JsonSpan | undefined): void => {
    if (depth === 3 && key !== undefined) this.#setField(span, key);
    if (depth === 2) this.#endElement(key);
    if (depth === 1) this.#endMember(span, key);
  };

  #setField(span: JsonSpan, key: JsonSpan): void {
    if (key.end - key.start > MAX_NAME_BYTES) return;
    this.#fields.set(String(parseSpan(this.#body, key)), span);
  }

  #endElement(key: JsonSpan | undefined): void {
    const fields = this.#fields;
    this.#fields = new Map();
    if (key !== undefined) return;
    this.#elements.push(fields);
    if (this.#elements.length > this.#maxMessages) throw new TooManyMessages();
  }

  #endMember(span: JsonSpan, key: JsonSpan | undefined): void {
    const elements = this.#elements;
    this.#elements = [];
    if (key === undefined || key.end - key.start > MAX_NAME_BYTES) return;
    if (parseSpan(this.#body, key) !== 'messages') return;
    const first = String.fromCharCode(this.#body[span.start] ?? 0);
    this.found = first === '[' ? elements : first === 'n' ? undefined : 'no list';
  }
}

function problemsOf(body: Buffer, fields: Fields, maxPayloadBytes: number): Problems {
  const problems = {
    topic: textProblem(body, fields.get('topic'), 'realtime:'),
    event: textProblem(body, fields.get('event'), ''),
    payload: payloadProblem(body, fields.get('payload'), maxPayloadBytes),
    private: booleanProblem(body, fields.get('private')),
  };
  return Object.fromEntries(
    Object.entries(problems).flatMap(([name, problem]) => (problem === undefined ? [] : [[name, [problem]]])),
  );
}

function textProblem(body: Buffer, span: JsonSpan | undefined, prefix: string): string | undefined {
  if (span === undefined || isNull(body, span)) return BLANK;
  if (body[span.start] !== QUOTE || span.end - span.start > MAX_FIELD_JSON_BYTES) return INVALID;
  const text = String(parseSpan(body, span));
  if (text === '') return BLANK;
  return fitsField(prefix + text) ? undefined : INVALID;
}

function payloadProblem(body: Buffer, span: JsonSpan | undefined, maxBytes: number): string | undefined {
  if (span === undefined || isNull(body, span)) return BLANK;
  if (!isObjectJson(bytesOf(body, span))) return INVALID;
  return span.end - span.start > maxBytes ? TOO_LARGE : undefined;
}

function booleanProblem(body: Buffer, span: JsonSpan | undefined): string | undefined {
  if (span === undefined || isNull(body, span)) return undefined;
  return ['true', 'false'].includes(bytesOf(body, span).toString('latin1', 0, 6)) ? undefined : INVALID;
}

function isNull(body: Buffer, { start }: JsonSpan): boolean {
  return body[start] === 0x6e;
}

function toMessage(body: Buffer, fields: Fields): BatchMessage {
  const textOf = (name: string) => String(parseSpan(body, fields.get(name) as JsonSpan));
  const isPrivate = fields.get('private');
  return {
    topic: textOf('topic'),
    event: textOf('event'),
    payload: bytesOf(body, fields.get('payload') as JsonSpan),
    isPrivate: isPrivate !== undefined && parseSpan(body, isPrivate) === true,
  };
}

function bytesOf(body: Buffer, { start, end }: JsonSpan): Buffer {
  return body.subarray(start, end);
}
