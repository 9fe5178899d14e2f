import type { Assertion } from './assertion.ts';
import type { Subject } from './attributes.ts';
import type { ProviderRow } from './provider.ts';

/** A sign-in with a verified assertion. */
export interface VerifiedSignIn {
  provider: ProviderRow;
  assertion: Assertion;
  subject: Subject;
  /** Set with PKCE. */
  flowId: string | undefined;
}
