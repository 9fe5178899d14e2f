/** Opens the authentication service. */
import type { OpenService, ServiceContext } from '@greenroom/service';
import { authPlugin } from './plugin.ts';
import { AUTH_ROLE } from './roles.ts';
import type { AuthConfig } from './settings/settings.ts';

/** Sign-ins spend most of their time in bcrypt's threads, so few connections serve many people. */
const CONNECTIONS = 12;
/** Connections that stay open while idle: under load, a new login would wait for a free thread. */
const IDLE_CONNECTIONS = 3;

/** Paths that a browser or another server opens without an API key, as the hosted gateway has them. */
const OPEN_PATHS = [
  '/verify',
  '/callback',
  '/authorize',
  '/sso/saml/*',
  '/.well-known/*',
  '/oauth/authorize',
  '/oauth/token',
  '/oauth/userinfo',
  '/oauth/clients/register',
];

/** Opens the service. */
export async function open(context: ServiceContext<AuthConfig>): Promise<OpenService> {
  const { config, keys, messages } = context;
  if (keys === undefined || messages === undefined) {
    throw new Error('the authentication service needs a database of this instance');
  }
  const database = context.database.open(AUTH_ROLE, {
    name: 'auth',
    max: CONNECTIONS,
    min: IDLE_CONNECTIONS,
  });
  return {
    routes: [
      {
        prefix: '/auth/v1',
        plugin: (server) => authPlugin(server, { config, keys: keys.tokens, database, ...messages }),
        openPaths: OPEN_PATHS,
      },
    ],
    upgrades: [],
    health: { auth: () => database.query({ text: 'select from auth.users limit 1' }) },
    metrics: undefined,
    close: () => database.close(),
  };
}
