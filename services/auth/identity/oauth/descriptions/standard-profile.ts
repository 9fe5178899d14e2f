import { identifier, isTrue, text } from '../json.ts';
import { emailOf, type Profile, profileOf } from '../profile.ts';

/** Claims about the token, which are not stored as metadata of the user. */
const TOKEN_CLAIMS = new Set([
  ...['iss', 'aud', 'azp', 'exp', 'iat', 'nbf', 'jti', 'nonce', 'at_hash', 'c_hash', 's_hash', 'auth_time'],
  ...[
    'acr',
    'amr',
    'sid',
    'typ',
    'session_state',
    'nonce_supported',
    'email_verified',
    'rh',
    'uti',
    'ver',
    'aio',
  ],
]);

/** The profile in claims of OpenID Connect (Core 1.0 §5.1); an address is verified if `email_verified` says so. */
export function standardProfile(
  claims: Record<string, unknown>,
  { isVerified = isTrue(claims.email_verified) } = {},
): Profile {
  const more = Object.fromEntries(Object.entries(claims).filter(([name]) => !TOKEN_CLAIMS.has(name)));
  return profileOf(identifier(claims.sub) ?? '', [emailOf(text(claims.email), isVerified)], {
    issuer: text(claims.iss) ?? '',
    name: text(claims.name),
    userName: text(claims.preferred_username),
    picture: text(claims.picture),
    more,
  });
}
