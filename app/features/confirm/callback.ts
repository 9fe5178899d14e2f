/** What an address of the callback page says: a code to exchange, an error, one confirmation of two, or nothing. */

/** Parameters as the auth service hands them over, in the query or in the fragment (the fragment knows less). */
export type Callback =
  | { kind: 'code'; code: string }
  | { kind: 'error'; code: string | undefined }
  | { kind: 'halfway' }
  | { kind: 'nothing' };

/** Reads query or fragment parameters. An error wins over a code. Their sentences are not read: anybody can write a link. */
export function readCallback(parameters: URLSearchParams): Callback {
  const error = parameters.get('error');
  const errorCode = parameters.get('error_code');
  if (error !== null || errorCode !== null || parameters.has('error_description')) {
    return { kind: 'error', code: codeOf(error, errorCode) };
  }
  const code = parameters.get('code');
  if (code) return { kind: 'code', code };
  // The auth service has no other news than that of a change which is confirmed from one of two mailboxes.
  return parameters.has('message') ? { kind: 'halfway' } : { kind: 'nothing' };
}

/** The service's own code; but that somebody pressed Cancel elsewhere is told by the error alone (RFC 6749 §4.1.2.1). */
function codeOf(error: string | null, code: string | null): string | undefined {
  const isCancelled = error === 'access_denied' && code === 'bad_oauth_callback';
  return (isCancelled ? error : (code ?? error)) ?? undefined;
}
