import type { OidcDescription } from '../description.ts';
import { defaultIssuer, defaultSignInPage, oidcDefaults } from './oidc-defaults.ts';

/** https://learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2 */
export const linkedinOidc: OidcDescription = {
  ...oidcDefaults,
  pkce: false,
  issuer: defaultIssuer('https://www.linkedin.com/oauth'),
  signInPage: defaultSignInPage('https://www.linkedin.com/oauth/v2/authorization'),
};
