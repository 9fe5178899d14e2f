import type { Endpoint } from '../context.ts';
import { SAML_BYTES } from '../http/body-limits.ts';
import { authorize, authorizeLinking } from './oauth/authorize.ts';
import { callback, callbackPost } from './oauth/callback.ts';
import {
  createCustomProvider,
  getCustomProvider,
  listCustomProviders,
  removeCustomProvider,
  updateCustomProvider,
} from './oauth/custom/admin.ts';
import { consumeAssertion } from './saml/acs.ts';
import { serviceMetadata } from './saml/metadata.ts';
import { beginSingleSignOn } from './saml/sign-in.ts';
import { unlinkIdentity } from './unlink.ts';

/** Endpoints of external identity providers. Paths are relative to the service's prefix. */
export const identityRoutes: readonly Endpoint[] = [
  { method: 'DELETE', path: '/user/identities/:identityId', handle: unlinkIdentity },
  { method: 'GET', path: '/user/identities/authorize', handle: authorizeLinking },
  { method: 'GET', path: '/authorize', handle: authorize },
  { method: 'GET', path: '/callback', handle: callback, hasSideEffects: true },
  { method: 'POST', path: '/callback', handle: callbackPost },
  { method: 'POST', path: '/sso', handle: beginSingleSignOn, captcha: true },
  { method: 'GET', path: '/sso/saml/metadata', handle: serviceMetadata },
  { method: 'POST', path: '/sso/saml/acs', handle: consumeAssertion, bodyBytes: SAML_BYTES },
  { method: 'GET', path: '/admin/custom-providers', handle: listCustomProviders },
  { method: 'POST', path: '/admin/custom-providers', handle: createCustomProvider },
  { method: 'GET', path: '/admin/custom-providers/:identifier', handle: getCustomProvider },
  { method: 'PUT', path: '/admin/custom-providers/:identifier', handle: updateCustomProvider },
  { method: 'DELETE', path: '/admin/custom-providers/:identifier', handle: removeCustomProvider },
];
