import type { OidcDescription } from '../description.ts';
import { defaultIssuer, oidcDefaults } from './oidc-defaults.ts';

/** The configured URL is that of a realm: https://www.keycloak.org/securing-apps/oidc-layers */
export const keycloak: OidcDescription = {
  ...oidcDefaults,
  issuer: defaultIssuer(''),
  signInPage: (base) => `${base}/protocol/openid-connect/auth`,
};
