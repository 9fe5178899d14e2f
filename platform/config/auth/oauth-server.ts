/** Settings of the OAuth 2.1 authorization server: other applications sign people in with their account here. */
import { z } from 'zod';
import type { Values } from '../variable.ts';
import { booleanVariable, variable } from '../variable.ts';
import { durationVariable, rateVariable } from './kinds.ts';

/** Environment variables. */
export const oauthServerVariables = {
  GOTRUE_OAUTH_SERVER_ENABLED: booleanVariable({
    default: 'false',
    description:
      'Lets other applications sign people in with their account here (OAuth 2.1, OpenID Connect).',
  }),
  GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION: booleanVariable({
    default: 'false',
    description: 'Lets applications register themselves (RFC 7591).',
  }),
  GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH: variable(
    z.string().regex(/^\/(?!\/)[^\s?#\\]*$/),
    'a path such as /oauth/consent',
    { default: '/oauth/consent', description: 'Page of the site that asks people for their consent.' },
  ),
  GOTRUE_OAUTH_SERVER_AUTHORIZATION_TTL: durationVariable({
    default: '10m',
    description: 'How long people have to consent.',
  }),
  GOTRUE_RATE_LIMIT_OAUTH_DYNAMIC_CLIENT_REGISTER: rateVariable({
    default: '10',
    description: 'Registrations of applications in 5 minutes.',
  }),
};

/** Settings. */
export interface OAuthServerSettings {
  oauthServer: {
    enabled: boolean;
    dynamicRegistration: boolean;
    /** Below the site's URL, with a slash at the start. */
    authorizationPath: string;
    authorizationLifetimeMs: number;
    /** In 5 minutes. */
    registrations: number;
  };
}

/** Groups the values. */
export function oauthServerSettings(values: Values<typeof oauthServerVariables>): OAuthServerSettings {
  return {
    oauthServer: {
      enabled: values.GOTRUE_OAUTH_SERVER_ENABLED,
      dynamicRegistration: values.GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION,
      authorizationPath: values.GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH,
      authorizationLifetimeMs: values.GOTRUE_OAUTH_SERVER_AUTHORIZATION_TTL,
      registrations: values.GOTRUE_RATE_LIMIT_OAUTH_DYNAMIC_CLIENT_REGISTER,
    },
  };
}
