/** What a hook answered: text → JSON → an error or what was asked for. */
import type { z } from 'zod';
import { failure } from '../errors.ts';
import { refusedByHook } from './refusal.ts';

/** Reads an answer; none at all counts as `{}`. Throws what the hook refuses with, or `unexpected_failure`. */
export function readAnswer<Output>(text: string | undefined, schema: z.ZodType<Output>): Output {
  const answer = parse(text);
  const error = (answer as { error?: unknown } | null)?.error;
  if (isError(error)) throw refusalOf(error);
  const parsed = schema.safeParse(answer ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') || 'the output';
  throw failure('unexpected_failure', {
    message: `The output of a hook does not conform to the expected schema: ${where}: ${issue?.message}`,
  });
}

function parse(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the answer, which is for nobody else.
    throw failure('unexpected_failure', { message: 'Error unmarshaling JSON output.' });
  }
}

/** An empty error is none, as with GoTrue. */
function isError(error: unknown): error is object | string {
  if (typeof error === 'string') return error !== '';
  return typeof error === 'object' && error !== null && Object.keys(error).length > 0;
}

function refusalOf(error: object | string) {
  const { http_code: status, message } = (typeof error === 'string' ? { message: error } : error) as Record<
    string,
    unknown
  >;
  return refusedByHook(status, typeof message === 'string' && message !== '' ? message : 'Refused by a hook');
}
