/** What a provider tells about a person, in the names of OpenID Connect (Core 1.0 §5.1) and of GoTrue. */
import { isEmail } from '../../user/email-address.ts';
import type { IdentityData } from '../../user/identity.ts';

/** An email address that a provider knows. */
export interface ProfileEmail {
  address: string;
  /** Whether the provider vouches for it. */
  isVerified: boolean;
  isPrimary: boolean;
}

/** A person at a provider. */
export interface Profile {
  /** The provider's name for them, which never changes. */
  subject: string;
  emails: readonly ProfileEmail[];
  claims: IdentityData;
}

/** Claims as providers' own names are translated into. What is undefined is left out. */
interface Claims {
  issuer: string;
  name?: string | undefined;
  userName?: string | undefined;
  picture?: string | undefined;
  /** More, under their own names. */
  more?: IdentityData;
}

/** Puts a profile together; clients find a name and a picture under the names of GoTrue as well. */
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
  // Mails go there: what is no address, or several of them, must not get that far.
  const known = emails.filter((email) => email !== undefined).filter(({ address }) => isEmail(address));
  return { subject, emails: known, claims };
}

/** An address where there is one. Most providers tell of one address only. */
export function emailOf(address: string | undefined, isVerified: boolean, isPrimary = true) {
  return address ? { address, isVerified, isPrimary } : undefined;
}
