/** Input and output of matching external profiles to accounts. */
import type { AuditEntry } from '../../audit/entry.ts';
import type { Challenge } from '../../flow-state/statements.ts';
import type { Step } from '../../hooks/step.ts';
import type { NewUser } from '../../user/insert.ts';
import type { UserRow } from '../../user/user.ts';
import type { Profile } from './profile.ts';

/** A verified external profile to match to an account. */
export interface ExternalProfile {
  provider: string;
  profile: Profile;
  audience: string;
  /** Whether a new account needs no email address. */
  emailOptional: boolean;
  /** The account to create if there is none, once it has been approved. */
  approved?: NewUser | undefined;
  /** PKCE challenge of the flow. A link to confirm an address ends as the flow would have. */
  challenge?: Challenge | undefined;
}

/** The account of an external profile. */
export interface Admission {
  user: UserRow;
  audit: AuditEntry;
  /** `needs verification`: its address has to be confirmed before a session is created. */
  outcome: 'admitted' | 'needs verification';
  /** Committed with the session, or instead of it. */
  steps: Step[];
  /** Whether the account was created just now. */
  isNew?: boolean;
}
