/** Parts of descriptions that most providers of OpenID Connect have in common. */
import { standardProfile } from './standard-profile.ts';

/** Default scopes, PKCE, and a profile in standard claims. */
export const oidcDefaults = {
  kind: 'oidc',
  scopes: ['openid', 'email', 'profile'],
  pkce: true,
  profile: (claims: Record<string, unknown>) => standardProfile(claims),
} as const;

/** A sign-in page that is known without discovery unless the provider has a configured URL. */
export function defaultSignInPage(url: string): (base: string | undefined) => string | undefined {
  return (base) => (base === undefined ? url : undefined);
}

/** An issuer that the configured URL replaces. */
export function defaultIssuer(issuer: string): (base: string | undefined) => string {
  return (base) => base ?? issuer;
}
