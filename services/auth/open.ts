import type { OpenService, ServiceContext } from '@greenroom/service';
import { Registry } from 'prom-client';
import { type Contexts, openContexts } from './contexts.ts';
import { createAuthMetrics } from './metrics.ts';
import { serveAuth } from './plugin.ts';
import { AUTH_ROLE } from './roles.ts';
import type { AuthConfig } from './settings/settings.ts';

/** Sign-ins spend most of their time in bcrypt's threads, so a few connections serve many users. */
const CONNECTIONS = 12;
/** Connections that stay open while idle, so that a first request needs no login. Each keeps 2 MB of PostgreSQL. */
const IDLE_CONNECTIONS = 1;

/** Paths that need no API key, because a browser or another server opens them. The hosted gateway has the same list. */
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

/** Opens the authentication service. Throws if it runs without a database of this instance. */
export async function open(context: ServiceContext<AuthConfig>): Promise<OpenService<AuthConfig>> {
  const { config, keys, messages } = context;
  if (keys === undefined || messages === undefined) {
    throw new Error('the authentication service cannot run alone on a foreign database');
  }
  const database = context.database.open(AUTH_ROLE, {
    name: 'auth',
    max: CONNECTIONS,
    min: IDLE_CONNECTIONS,
  });
  let contexts: Contexts | undefined;
  const registry = new Registry();
  const metrics = createAuthMetrics(registry);
  return {
    routes: [
      {
        prefix: '/auth/v1',
        async plugin(server) {
          const { log } = server;
          contexts = await openContexts({ config, keys: keys.tokens, database, ...messages, log });
          serveAuth(server, contexts, metrics);
        },
        openPaths: OPEN_PATHS,
      },
    ],
    upgrades: [],
    health: { auth: () => database.query({ text: 'select from auth.users limit 1' }) },
    metrics: registry,
    async prepareSettings(next) {
      if (contexts === undefined) throw new Error('settings were reloaded before the routes were registered');
      return contexts.prepare(next.config);
    },
    close: () => database.close(),
  };
}
