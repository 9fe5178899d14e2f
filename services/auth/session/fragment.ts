/** A session in the fragment of a URL, where only the page that is opened sees it (RFC 6749 §4.2.2). */
import type { SessionBody } from './response.ts';

const NAMES = ['access_token', 'expires_at', 'expires_in', 'refresh_token', 'token_type'] as const;
const OF_PROVIDER = ['provider_token', 'provider_refresh_token'] as const;

/** Its fields as text; those of an external provider where there are any. */
export function sessionFragment(body: SessionBody): Record<string, string> {
  const names = [...NAMES, ...OF_PROVIDER.filter((name) => body[name] !== undefined)];
  return Object.fromEntries(names.map((name) => [name, String(body[name])]));
}
