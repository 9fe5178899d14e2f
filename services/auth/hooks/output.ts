/** Parses the output of a hook: text → JSON → the hook's error or its result. */
import type { z } from 'zod';
import { failure } from '../errors.ts';
import { rejectedByHook } from './hook-failure.ts';

/**
 * Parses an output; undefined and empty text count as `{}`. Throws the error that the hook returned, or
 * `unexpected_failure` for an invalid output.
 */
export function parseOutput<Output>(text: string | undefined, schema: z.ZodType<Output>): Output {
  const output = parse(text);
  const error = (output as { error?: unknown } | null)?.error;
  if (isError(error)) throw refusalOf(error);
  const parsed = schema.safeParse(output ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join('.') || 'the output';
  throw failure('unexpected_failure', {
    message: `The output of a hook does not conform to the expected schema: ${path}: ${issue?.message}`,
  });
}

function parse(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Hides the parser's message, because it quotes the output, which the client must not see.
    throw failure('unexpected_failure', { message: 'Error unmarshaling JSON output.' });
  }
}

/** An empty error does not count, as in GoTrue. */
function isError(error: unknown): error is object | string {
  if (typeof error === 'string') return error !== '';
  return typeof error === 'object' && error !== null && Object.keys(error).length > 0;
}

function refusalOf(error: object | string) {
  const { http_code: status, message } = (typeof error === 'string' ? { message: error } : error) as Record<
    string,
    unknown
  >;
  return rejectedByHook(
    status,
    typeof message === 'string' && message !== '' ? message : 'Rejected by a hook',
  );
}
