import type { Endpoint } from '../context.ts';
import { SAML_BYTES } from '../http/body-limits.ts';
import {
  createCustomProvider,
  getCustomProvider,
  listCustomProviders,
  removeCustomProvider,
  updateCustomProvider,
} from './oauth/custom/admin.ts';
import { unlinkIdentity } from './unlink.ts';

/** Modules that need large packages (OpenID Connect, SAML), loaded by the first request. */
const oauthAuthorize = () => import('./oauth/authorize.ts');
const oauthCallback = () => import('./oauth/callback.ts');
const samlSignIn = () => import('./saml/sign-in.ts');
const samlMetadata = () => import('./saml/metadata.ts');
const samlAcs = () => import('./saml/acs.ts');

/** Endpoints of external identity providers. Paths are relative to the service's prefix. */
export const identityRoutes: readonly Endpoint[] = [
  { method: 'DELETE', path: '/user/identities/:identityId', handle: unlinkIdentity },
  {
    method: 'GET',
    path: '/user/identities/authorize',
    handle: async (...call) => (await oauthAuthorize()).authorizeLinking(...call),
  },
  {
    method: 'GET',
    path: '/authorize',
    handle: async (...call) => (await oauthAuthorize()).authorize(...call),
  },
  {
    method: 'GET',
    path: '/callback',
    handle: async (...call) => (await oauthCallback()).callback(...call),
    hasSideEffects: true,
  },
  {
    method: 'POST',
    path: '/callback',
    handle: async (...call) => (await oauthCallback()).callbackPost(...call),
  },
  {
    method: 'POST',
    path: '/sso',
    handle: async (...call) => (await samlSignIn()).beginSingleSignOn(...call),
    captcha: true,
  },
  {
    method: 'GET',
    path: '/sso/saml/metadata',
    handle: async (...call) => (await samlMetadata()).serviceMetadata(...call),
  },
  {
    method: 'POST',
    path: '/sso/saml/acs',
    handle: async (...call) => (await samlAcs()).consumeAssertion(...call),
    bodyBytes: SAML_BYTES,
  },
  { method: 'GET', path: '/admin/custom-providers', handle: listCustomProviders },
  { method: 'POST', path: '/admin/custom-providers', handle: createCustomProvider },
  { method: 'GET', path: '/admin/custom-providers/:identifier', handle: getCustomProvider },
  { method: 'PUT', path: '/admin/custom-providers/:identifier', handle: updateCustomProvider },
  { method: 'DELETE', path: '/admin/custom-providers/:identifier', handle: removeCustomProvider },
];
