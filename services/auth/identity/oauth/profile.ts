/** Profiles of users at providers, in the claim names of OpenID Connect (Core 1.0 §5.1) and GoTrue. */
import { isEmail } from '../../user/email-address.ts';
import type { IdentityData } from '../../user/identity.ts';

/** An email address in a profile. */
export interface ProfileEmail {
  address: string;
  /** Whether the provider has verified it. */
  isVerified: boolean;
  isPrimary: boolean;
}

/** A user at a provider. */
export interface Profile {
  /** The provider's permanent id of the user. */
  subject: string;
  emails: readonly ProfileEmail[];
  claims: IdentityData;
}

/** Claims that providers' own names are mapped to. Undefined ones are omitted. */
interface Claims {
  issuer: string;
  name?: string | undefined;
  userName?: string | undefined;
  picture?: string | undefined;
  /** Further claims under their own names. */
  more?: IdentityData;
}

/** Builds a profile. Clients also find name and picture under GoTrue's names. */
export function profileOf(
  subject: string,
  emails: readonly (ProfileEmail | undefined)[],
  { issuer, name, userName, picture, more = {} }: Claims,
): Profile {
  const claims = {
    ...more,
    iss: issuer,
    sub: subject,
    provider_id: subject,
    ...(name && { name, full_name: name }),
    ...(userName && { user_name: userName, preferred_username: userName }),
    ...(picture && { picture, avatar_url: picture }),
  };
  // This service sends mails to these addresses, so texts with no or several addresses must be removed.
  const valid = emails.filter((email) => email !== undefined).filter(({ address }) => isEmail(address));
  return { subject, emails: valid, claims };
}

/** Returns a profile address, or undefined without one. Most providers return a single address, which is primary. */
export function emailOf(address: string | undefined, isVerified: boolean, isPrimary = true) {
  return address ? { address, isVerified, isPrimary } : undefined;
}
