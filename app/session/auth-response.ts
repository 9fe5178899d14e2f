/** Parses responses of endpoints of the auth service that the official client does not cover. */
import type { AuthFailure } from './auth-errors.ts';

/** A parsed response. */
interface AuthResponse {
  /** Empty if the body is no JSON object. */
  body: Readonly<Record<string, unknown>>;
  /** The error in the official client's format; undefined if the call succeeded. */
  failure: AuthFailure | undefined;
}

/** Parses a response; a missing one means that there is no session. Never rejects. */
export async function parseAuthResponse(response: Response | undefined): Promise<AuthResponse> {
  const parsed: unknown = await response?.json().catch(() => undefined);
  const body = typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  if (response?.ok) return { body, failure: undefined };
  const failure = {
    name: 'AuthApiError',
    message: String(body.msg ?? body.message ?? ''),
    code: String(body.error_code ?? body.code ?? ''),
    status: response?.status ?? 401,
  };
  return { body, failure };
}
