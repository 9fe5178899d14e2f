import type { OidcDescription } from '../description.ts';
import { defaultIssuer, oidcDefaults } from './oidc-defaults.ts';
import { standardProfile } from './standard-profile.ts';

/** Signs in by ID tokens only, with claims under their own names. */
export const vercelMarketplace: OidcDescription = {
  ...oidcDefaults,
  issuer: defaultIssuer('https://marketplace.vercel.com'),
  profile: (claims) =>
    standardProfile({
      ...claims,
      name: claims.user_name,
      email: claims.user_email,
      picture: claims.user_avatar_url,
    }),
};
