/**
 * Ways in that need a provider, while none can be configured: each answers as GoTrue does where it is switched off, so
 * that clients can tell it from a fault.
 */
import type { AuthResponse } from '../endpoint.ts';
import { failure } from '../errors.ts';

/** POST /sso, and SAML's own endpoints. */
export async function singleSignOn(): Promise<AuthResponse> {
  throw failure('saml_provider_disabled');
}
