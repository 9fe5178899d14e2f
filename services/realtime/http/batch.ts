/** The body of a batch of broadcasts. Pure: text in, messages out, or what is wrong with each of them. */
import { fitsField } from '../frames/frame.ts';
import { isObject } from '../frames/json.ts';

/** One message of a batch. */
export interface BatchMessage {
  topic: string;
  event: string;
  payload: Record<string, unknown>;
  isPrivate: boolean;
}

/** What is wrong, by field. */
type Problems = Record<string, string[]>;

/** A batch, or the body of the answer that refuses it. */
export type Batch =
  | { isValid: true; messages: BatchMessage[] }
  | { isValid: false; errors: { messages: (Problems | string)[] } };

const BLANK = "can't be blank";
const INVALID = 'is invalid';
const TOO_LARGE = 'Payload size exceeds tenant limit';

/** Reads a batch. @param body of the request, as JSON */
export function parseBatch(body: unknown, maxPayloadBytes: number): Batch {
  const messages = isObject(body) ? body.messages : undefined;
  if (messages === undefined || messages === null || (Array.isArray(messages) && messages.length === 0)) {
    return { isValid: false, errors: { messages: [BLANK] } };
  }
  if (!Array.isArray(messages)) return { isValid: false, errors: { messages: [INVALID] } };
  const problems = messages.map((message) => problemsOf(message, maxPayloadBytes));
  if (problems.some((found) => Object.keys(found).length > 0)) {
    return { isValid: false, errors: { messages: problems } };
  }
  return { isValid: true, messages: messages.map(toMessage) };
}

function problemsOf(message: unknown, maxPayloadBytes: number): Problems {
  const { topic, event, payload, private: isPrivate } = isObject(message) ? message : {};
  const problems = {
    topic: textProblem(topic, `realtime:${topic}`),
    event: textProblem(event, String(event)),
    payload: payloadProblem(payload, maxPayloadBytes),
    private:
      isPrivate === undefined || isPrivate === null || typeof isPrivate === 'boolean' ? undefined : INVALID,
  };
  return Object.fromEntries(
    Object.entries(problems).flatMap(([name, problem]) => (problem === undefined ? [] : [[name, [problem]]])),
  );
}

function textProblem(value: unknown, field: string): string | undefined {
  if (value === undefined || value === null || value === '') return BLANK;
  return typeof value === 'string' && fitsField(field) ? undefined : INVALID;
}

function payloadProblem(value: unknown, maxBytes: number): string | undefined {
  if (value === undefined || value === null) return BLANK;
  if (!isObject(value)) return INVALID;
  return Buffer.byteLength(JSON.stringify(value)) > maxBytes ? TOO_LARGE : undefined;
}

function toMessage(message: unknown): BatchMessage {
  const { topic, event, payload, private: isPrivate } = message as BatchMessage & { private?: boolean };
  return { topic, event, payload, isPrivate: isPrivate === true };
}
