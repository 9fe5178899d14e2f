/** Response of the token endpoint (RFC 6749 §5.1): a session response without the user. */
import type { AuthResponse } from '../contracts/request.ts';
import type { SessionResponse } from '../session/response.ts';
import { allowsGrant, type ClientRow } from './client.ts';

/** Contents of the response that do not come from the session. */
interface TokenDetails {
  client: ClientRow;
  scope: string;
  idToken?: string | undefined;
}

/** Builds the response. A client without grant `refresh_token` gets no refresh token. */
export function tokenResponse(
  { status, headers, body }: SessionResponse,
  { client, scope, idToken }: TokenDetails,
): AuthResponse {
  return {
    status,
    headers: { ...headers },
    body: {
      access_token: body.access_token,
      token_type: body.token_type,
      expires_in: body.expires_in,
      refresh_token: allowsGrant(client, 'refresh_token') ? body.refresh_token : undefined,
      scope,
      id_token: idToken,
    },
  };
}
