/** Selects the part of an external profile that is stored as an identity. */
import { failure } from '../../errors.ts';
import type { IdentityData } from '../../user/identity.ts';
import type { ExternalProfile } from './external-profile.ts';
import type { ProviderIdentity } from './identity-statements.ts';
import { candidateEmail } from './linking.ts';
import type { Profile, ProfileEmail } from './profile.ts';

/** The metadata of several providers must fit into one token. */
const MAX_CLAIMS_BYTES = 8192;
const MAX_NAME_LENGTH = 255;
/** The subject is part of an index, which limits its length. */
const MAX_SUBJECT_LENGTH = 1024;
/** NUL and unpaired surrogates, as JSON escapes them. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/** Returns the identity to store for a profile. Throws `validation_failed` if its subject cannot be stored. */
export function identityOf(
  { provider, profile }: Pick<ExternalProfile, 'provider' | 'profile'>,
  email: ProfileEmail | undefined = candidateEmail(profile.emails),
): ProviderIdentity {
  const { subject } = profile;
  if (subject.length > MAX_SUBJECT_LENGTH || subject.includes('\0') || !subject.isWellFormed()) {
    throw failure('validation_failed', { message: "The provider's id of the user is not valid" });
  }
  const address = { email: email?.address };
  const verified = { email_verified: email?.isVerified ?? false, phone_verified: false };
  return {
    provider,
    providerId: subject,
    data: { ...storableClaims(profile), ...address, ...verified },
  };
}

/**
 * Returns all claims, or only subject and name if the claims are too large for a token (e.g. the groups of a
 * large company) or PostgreSQL cannot store them.
 */
function storableClaims({ claims, subject }: Profile): IdentityData {
  const json = JSON.stringify(claims);
  if (Buffer.byteLength(json) <= MAX_CLAIMS_BYTES && !UNSTORABLE.test(json)) return claims;
  const { iss, name, full_name } = claims;
  return { iss, sub: subject, provider_id: subject, name: truncate(name), full_name: truncate(full_name) };
}

function truncate(name: unknown): unknown {
  if (typeof name !== 'string') return undefined;
  return name.replaceAll('\0', '').slice(0, MAX_NAME_LENGTH).toWellFormed();
}
