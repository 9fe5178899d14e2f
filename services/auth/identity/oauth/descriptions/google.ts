import type { OidcDescription } from '../description.ts';
import { oidcDefaults, usualIssuer, usualPage } from './oidc-defaults.ts';

/** https://developers.google.com/identity/openid-connect */
export const google: OidcDescription = {
  ...oidcDefaults,
  issuer: usualIssuer('https://accounts.google.com'),
  signInPage: usualPage('https://accounts.google.com/o/oauth2/v2/auth'),
};
