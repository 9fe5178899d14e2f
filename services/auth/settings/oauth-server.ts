/**
 * Settings of the OAuth 2.1 authorization server, which lets other applications sign users in with accounts of this
 * instance.
 */
import { booleanSetting, durationSetting, rateSetting, setting } from '@greenroom/config';
import { z } from 'zod';

export const oauthServerTree = {
  enabled: booleanSetting('GOTRUE_OAUTH_SERVER_ENABLED', {
    default: 'false',
    configKey: 'auth.oauth_server.enabled',
    description:
      'Whether other applications may sign users in with their account of this instance (OAuth 2.1, OpenID Connect).',
  }),
  dynamicRegistration: booleanSetting('GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION', {
    default: 'false',
    configKey: 'auth.oauth_server.allow_dynamic_registration',
    description: 'Whether applications may register themselves (RFC 7591).',
  }),
  /** Path below the site's URL, with a leading slash. */
  authorizationPath: setting(
    'GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH',
    z.string().regex(/^\/(?!\/)[^\s?#\\]*$/),
    'a path such as /oauth/consent',
    {
      default: '/oauth/consent',
      configKey: 'auth.oauth_server.authorization_url_path',
      description: 'Path of the consent page on the site.',
    },
  ),
  authorizationLifetimeMs: durationSetting('GOTRUE_OAUTH_SERVER_AUTHORIZATION_TTL', {
    default: '10m',
    description: 'Time to give consent.',
  }),
  /** Registrations per 5 minutes. */
  registrations: rateSetting('GOTRUE_RATE_LIMIT_OAUTH_DYNAMIC_CLIENT_REGISTER', {
    default: '10',
    description: 'Self-registrations of applications per client in 5 minutes.',
  }),
};
