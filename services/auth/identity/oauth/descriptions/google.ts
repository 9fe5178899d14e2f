import type { OidcDescription } from '../description.ts';
import { defaultIssuer, defaultSignInPage, oidcDefaults } from './oidc-defaults.ts';

/** https://developers.google.com/identity/openid-connect */
export const google: OidcDescription = {
  ...oidcDefaults,
  issuer: defaultIssuer('https://accounts.google.com'),
  signInPage: defaultSignInPage('https://accounts.google.com/o/oauth2/v2/auth'),
};
