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
  /** Whether a new account may lack an email address. */
  emailOptional: boolean;
  /** The account to create if none matches, after a hook has approved it. */
  approved?: NewUser | undefined;
  /** PKCE challenge of the flow. A link that confirms an address completes the flow. */
  challenge?: Challenge | undefined;
}

/** The account matched to an external profile, or created for it. */
export interface MatchedAccount {
  user: UserRow;
  audit: AuditEntry;
  /** `needs verification`: the address must be confirmed before a session is opened. */
  outcome: 'accepted' | 'needs verification';
  /** Statements and messages to commit with the session, or in its place. */
  steps: Step[];
  /** Whether the account was created just now. */
  isNew?: boolean;
}
