import type { OidcDescription } from '../description.ts';
import { oidcDefaults, usualIssuer, usualPage } from './oidc-defaults.ts';

/** https://learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2 */
export const linkedinOidc: OidcDescription = {
  ...oidcDefaults,
  pkce: false,
  issuer: usualIssuer('https://www.linkedin.com/oauth'),
  signInPage: usualPage('https://www.linkedin.com/oauth/v2/authorization'),
};
