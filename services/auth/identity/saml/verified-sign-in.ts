/** A sign-in that a provider has vouched for. */
import type { Assertion } from './assertion.ts';
import type { Subject } from './attributes.ts';
import type { ProviderRow } from './provider.ts';

/** Somebody who was vouched for. */
export interface VerifiedSignIn {
  provider: ProviderRow;
  assertion: Assertion;
  subject: Subject;
  /** Under PKCE. */
  flowId: string | undefined;
}
