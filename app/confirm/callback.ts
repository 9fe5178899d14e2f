/** What an address of the callback page says: a code to exchange, an error, or nothing. */

/** Parameters as the auth service hands them over, in the query or in the fragment (the fragment knows less). */
export type Callback =
  | { kind: 'code'; code: string }
  | { kind: 'error'; code: string | undefined; message: string }
  | { kind: 'nothing' };

/** Reads query or fragment parameters. An error wins over a code. */
export function readCallback(parameters: URLSearchParams): Callback {
  const error = parameters.get('error');
  const description = parameters.get('error_description');
  if (error !== null || description !== null) {
    const code = parameters.get('error_code') ?? error ?? undefined;
    return { kind: 'error', code, message: description ?? error ?? '' };
  }
  const code = parameters.get('code');
  return code ? { kind: 'code', code } : { kind: 'nothing' };
}
