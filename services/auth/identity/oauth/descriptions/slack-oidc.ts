import type { OidcDescription } from '../description.ts';
import { defaultIssuer, defaultSignInPage, oidcDefaults } from './oidc-defaults.ts';

/** https://docs.slack.dev/authentication/sign-in-with-slack */
export const slackOidc: OidcDescription = {
  ...oidcDefaults,
  pkce: false,
  issuer: defaultIssuer('https://slack.com'),
  signInPage: defaultSignInPage('https://slack.com/openid/connect/authorize'),
};
