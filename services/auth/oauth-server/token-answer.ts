/** The answer of the token endpoint (RFC 6749 §5.1): that of any sign-in, without the user. */
import type { AuthResponse } from '../contracts/request.ts';
import type { SessionAnswer } from '../session/response.ts';
import { type ClientRow, mayUse } from './client.ts';

/** What besides the session is told. */
interface TokenDetails {
  client: ClientRow;
  scope: string;
  idToken?: string | undefined;
}

/** Puts it together. An application that may not refresh gets no refresh token. */
export function tokenAnswer(
  { status, headers, body }: SessionAnswer,
  { client, scope, idToken }: TokenDetails,
): AuthResponse {
  return {
    status,
    headers: { ...headers },
    body: {
      access_token: body.access_token,
      token_type: body.token_type,
      expires_in: body.expires_in,
      refresh_token: mayUse(client, 'refresh_token') ? body.refresh_token : undefined,
      scope,
      id_token: idToken,
    },
  };
}
