import type { Endpoint } from '../context.ts';
import { authorizeClient } from './authorize.ts';
import { decideAuthorization, showAuthorization } from './decide.ts';
import { listGrants, revokeGrant } from './grants.ts';
import { authorizationServerMetadata, openidConfiguration } from './openid-configuration.ts';
import { registerClient } from './register.ts';
import { oauthToken } from './token.ts';
import { userinfo } from './userinfo.ts';

/** Endpoints of the authorization server. Paths are relative to the service's prefix. */
export const oauthServerRoutes: readonly Endpoint[] = [
  { method: 'GET', path: '/.well-known/openid-configuration', handle: openidConfiguration },
  { method: 'GET', path: '/.well-known/oauth-authorization-server', handle: authorizationServerMetadata },
  { method: 'GET', path: '/oauth/authorize', handle: authorizeClient, hasSideEffects: true },
  {
    method: 'GET',
    path: '/oauth/authorizations/:authorizationId',
    handle: showAuthorization,
    hasSideEffects: true,
  },
  { method: 'POST', path: '/oauth/authorizations/:authorizationId/consent', handle: decideAuthorization },
  { method: 'POST', path: '/oauth/token', handle: oauthToken },
  { method: 'GET', path: '/oauth/userinfo', handle: userinfo },
  { method: 'POST', path: '/oauth/userinfo', handle: userinfo },
  { method: 'POST', path: '/oauth/clients/register', handle: registerClient },
  { method: 'GET', path: '/user/oauth/grants', handle: listGrants },
  { method: 'DELETE', path: '/user/oauth/grants', handle: revokeGrant },
];
