import type { OidcDescription } from '../description.ts';
import { oidcDefaults, usualIssuer, usualPage } from './oidc-defaults.ts';

/** https://docs.slack.dev/authentication/sign-in-with-slack */
export const slackOidc: OidcDescription = {
  ...oidcDefaults,
  pkce: false,
  issuer: usualIssuer('https://slack.com'),
  signInPage: usualPage('https://slack.com/openid/connect/authorize'),
};
