/** Session tokens for a URL fragment, which browsers do not send to servers (RFC 6749 §4.2.2). */
import type { SessionBody } from './response.ts';

const NAMES = ['access_token', 'expires_at', 'expires_in', 'refresh_token', 'token_type'] as const;
const PROVIDER_NAMES = ['provider_token', 'provider_refresh_token'] as const;

/** Returns the session's fields as text, with the external provider's tokens if present. */
export function sessionFragment(body: SessionBody): Record<string, string> {
  const names = [...NAMES, ...PROVIDER_NAMES.filter((name) => body[name] !== undefined)];
  return Object.fromEntries(names.map((name) => [name, String(body[name])]));
}
