/** The authentication service as a Fastify plugin. */
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { accountRoutes } from './account/routes.ts';
import { adminRoutes } from './admin/routes.ts';
import type { Endpoint } from './context.ts';
import { type ContextOptions, type Contexts, openContexts } from './contexts.ts';
import { credentialRoutes } from './credential/routes.ts';
import { factorRoutes } from './factor/routes.ts';
import { identityRoutes } from './identity/routes.ts';
import { instanceRoutes } from './instance/routes.ts';
import type { AuthMetrics } from './metrics.ts';
import { oauthServerRoutes } from './oauth-server/routes.ts';
import { oneTimeRoutes } from './one-time/routes.ts';
import { serveEndpoints } from './routes.ts';
import { sessionRoutes } from './session/routes.ts';

/** Options of {@link authPlugin}. */
type AuthPluginOptions = Omit<ContextOptions, 'log'>;

const endpoints: readonly Endpoint[] = [
  ...instanceRoutes,
  ...oauthServerRoutes,
  ...credentialRoutes,
  ...sessionRoutes,
  ...accountRoutes,
  ...oneTimeRoutes,
  ...identityRoutes,
  ...factorRoutes,
  ...adminRoutes,
];

/** Serves all endpoints below the prefix that the plugin is registered with, usually `/auth/v1`. */
export const authPlugin: FastifyPluginAsync<AuthPluginOptions> = async (server, options) => {
  serveAuth(server, await openContexts({ ...options, log: server.log }));
};

/** Serves all endpoints like {@link authPlugin}, with contexts that the caller can replace. Closes them with the server. */
export function serveAuth(server: FastifyInstance, contexts: Contexts, metrics?: AuthMetrics): void {
  server.addHook('onClose', () => contexts.close());
  serveEndpoints(server, endpoints, contexts.current, metrics);
}
