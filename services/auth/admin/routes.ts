import type { Endpoint } from '../context.ts';
import { ADMIN_METADATA_BYTES, METADATA_BYTES, SAML_BYTES, TEMPLATE_BYTES } from '../http/body-limits.ts';
import { auditLog } from './audit-log.ts';
import { createUser } from './create-user.ts';
import { deleteUserAsAdmin } from './delete-user.ts';
import { deleteFactor, listFactors, updateFactor } from './factors.ts';
import { generateLink } from './generate-link.ts';
import { getUserAsAdmin } from './get-user.ts';
import { impersonate } from './impersonate.ts';
import { invite } from './invite.ts';
import { listUsers } from './list-users.ts';
import {
  clearMessages,
  deleteMessageAsAdmin,
  listMessagesAsAdmin,
  readMessageAsAdmin,
  retryMessageAsAdmin,
  retryMessages,
} from './messages.ts';
import {
  createOAuthClient,
  deleteOAuthClient,
  getOAuthClient,
  listOAuthClients,
  regenerateOAuthClientSecret,
  updateOAuthClient,
} from './oauth-clients.ts';
import { deletePasskeyAsAdmin, listPasskeysAsAdmin } from './passkeys.ts';
import { endSessionAsAdmin, endSessionsAsAdmin, listSessionsAsAdmin } from './sessions.ts';
import {
  createSsoProvider,
  deleteSsoProvider,
  getSsoProvider,
  listSsoProviders,
  updateSsoProvider,
} from './sso-providers.ts';
import { listTemplates, previewTemplate, sendTemplate } from './templates.ts';
import { unlinkIdentityAsAdmin } from './unlink-identity.ts';
import { updateUserAsAdmin } from './update-user.ts';

/** Endpoints of the admin API. Paths are relative to the service's prefix. */
export const adminRoutes: readonly Endpoint[] = [
  { method: 'POST', path: '/invite', handle: invite, bodyBytes: METADATA_BYTES },
  { method: 'GET', path: '/admin/users', handle: listUsers },
  { method: 'POST', path: '/admin/users', handle: createUser, bodyBytes: ADMIN_METADATA_BYTES },
  { method: 'GET', path: '/admin/users/:userId', handle: getUserAsAdmin },
  { method: 'PUT', path: '/admin/users/:userId', handle: updateUserAsAdmin, bodyBytes: ADMIN_METADATA_BYTES },
  { method: 'DELETE', path: '/admin/users/:userId', handle: deleteUserAsAdmin },
  { method: 'GET', path: '/admin/users/:userId/factors', handle: listFactors },
  { method: 'PUT', path: '/admin/users/:userId/factors/:factorId', handle: updateFactor },
  { method: 'DELETE', path: '/admin/users/:userId/factors/:factorId', handle: deleteFactor },
  { method: 'GET', path: '/admin/users/:userId/passkeys', handle: listPasskeysAsAdmin },
  { method: 'DELETE', path: '/admin/users/:userId/passkeys/:passkeyId', handle: deletePasskeyAsAdmin },
  { method: 'GET', path: '/admin/users/:userId/sessions', handle: listSessionsAsAdmin },
  { method: 'DELETE', path: '/admin/users/:userId/sessions', handle: endSessionsAsAdmin },
  { method: 'DELETE', path: '/admin/users/:userId/sessions/:sessionId', handle: endSessionAsAdmin },
  { method: 'DELETE', path: '/admin/users/:userId/identities/:identityId', handle: unlinkIdentityAsAdmin },
  { method: 'POST', path: '/admin/users/:userId/impersonate', handle: impersonate },
  { method: 'POST', path: '/admin/generate_link', handle: generateLink, bodyBytes: METADATA_BYTES },
  { method: 'GET', path: '/admin/audit', handle: auditLog },
  { method: 'GET', path: '/admin/messages', handle: listMessagesAsAdmin },
  { method: 'DELETE', path: '/admin/messages', handle: clearMessages },
  { method: 'GET', path: '/admin/messages/:messageId', handle: readMessageAsAdmin },
  { method: 'DELETE', path: '/admin/messages/:messageId', handle: deleteMessageAsAdmin },
  { method: 'POST', path: '/admin/messages/retry', handle: retryMessages },
  { method: 'POST', path: '/admin/messages/:messageId/retry', handle: retryMessageAsAdmin },
  { method: 'GET', path: '/admin/templates', handle: listTemplates },
  { method: 'POST', path: '/admin/templates/preview', handle: previewTemplate, bodyBytes: TEMPLATE_BYTES },
  { method: 'POST', path: '/admin/templates/send', handle: sendTemplate, bodyBytes: TEMPLATE_BYTES },
  { method: 'POST', path: '/admin/oauth/clients', handle: createOAuthClient },
  { method: 'GET', path: '/admin/oauth/clients', handle: listOAuthClients },
  { method: 'GET', path: '/admin/oauth/clients/:clientId', handle: getOAuthClient },
  { method: 'PUT', path: '/admin/oauth/clients/:clientId', handle: updateOAuthClient },
  { method: 'DELETE', path: '/admin/oauth/clients/:clientId', handle: deleteOAuthClient },
  {
    method: 'POST',
    path: '/admin/oauth/clients/:clientId/regenerate_secret',
    handle: regenerateOAuthClientSecret,
  },
  { method: 'GET', path: '/admin/sso/providers', handle: listSsoProviders },
  { method: 'POST', path: '/admin/sso/providers', handle: createSsoProvider, bodyBytes: SAML_BYTES },
  { method: 'GET', path: '/admin/sso/providers/:providerId', handle: getSsoProvider },
  {
    method: 'PUT',
    path: '/admin/sso/providers/:providerId',
    handle: updateSsoProvider,
    bodyBytes: SAML_BYTES,
  },
  { method: 'DELETE', path: '/admin/sso/providers/:providerId', handle: deleteSsoProvider },
];
