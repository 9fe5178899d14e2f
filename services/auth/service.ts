/** The authentication service: its parts put together. */
import type { AuthConfig } from '@greenroom/config';
import type { Keys } from '@greenroom/keys';
import type { Mailbox, Outbox } from '@greenroom/messages';
import type { Database, MigrationSource } from '@greenroom/postgres';
import type { FastifyPluginAsync } from 'fastify';
import { deleteAccount } from './account/delete.ts';
import { exportAccount } from './account/export.ts';
import { endOwnSession, listOwnSessions } from './account/sessions.ts';
import { auditLog } from './admin/audit-log.ts';
import { createUser } from './admin/create-user.ts';
import { deleteUserAsAdmin } from './admin/delete-user.ts';
import { deleteFactor, listFactors, updateFactor } from './admin/factors.ts';
import { generateLink } from './admin/generate-link.ts';
import { getUserAsAdmin } from './admin/get-user.ts';
import { invite } from './admin/invite.ts';
import { listUsers } from './admin/list-users.ts';
import {
  clearMessages,
  deleteMessageAsAdmin,
  listMessagesAsAdmin,
  readMessageAsAdmin,
} from './admin/messages.ts';
import {
  createOAuthClient,
  deleteOAuthClient,
  getOAuthClient,
  listOAuthClients,
  regenerateOAuthClientSecret,
  updateOAuthClient,
} from './admin/oauth-clients.ts';
import { deletePasskeyAsAdmin, listPasskeysAsAdmin } from './admin/passkeys.ts';
import { endSessionAsAdmin, listSessionsAsAdmin } from './admin/sessions.ts';
import {
  createSsoProvider,
  deleteSsoProvider,
  getSsoProvider,
  listSsoProviders,
  updateSsoProvider,
} from './admin/sso-providers.ts';
import { updateUserAsAdmin } from './admin/update-user.ts';
import type { Endpoint } from './context.ts';
import { authorize, authorizeLinking } from './external/authorize.ts';
import { callback, callbackPost } from './external/callback.ts';
import {
  createCustomProvider,
  getCustomProvider,
  listCustomProviders,
  removeCustomProvider,
  updateCustomProvider,
} from './external/custom/admin.ts';
import { challengeFactor } from './factors/challenge.ts';
import { enrollFactor } from './factors/enroll.ts';
import { unenrollFactor } from './factors/unenroll.ts';
import { verifyFactor } from './factors/verify.ts';
import { getUser } from './get-user.ts';
import { health } from './health.ts';
import { createHooks } from './hooks/run.ts';
import { unlinkIdentity } from './identities/unlink.ts';
import { jwks } from './jwks.ts';
import { logout } from './logout.ts';
import { magicLink } from './magic-link.ts';
import { createMailer } from './mail/mailer.ts';
import { authorizeClient } from './oauth-server/authorize.ts';
import { decideAuthorization, showAuthorization } from './oauth-server/decide.ts';
import { listGrants, revokeGrant } from './oauth-server/grants.ts';
import { registerClient } from './oauth-server/register.ts';
import { oauthToken } from './oauth-server/token.ts';
import { userinfo } from './oauth-server/userinfo.ts';
import { authorizationServerMetadata, openidConfiguration } from './openid-configuration.ts';
import { otp } from './otp.ts';
import { passkeyAuthenticationOptions, passkeyAuthenticationVerify } from './passkeys/authentication.ts';
import { listPasskeys, removePasskey, updatePasskey } from './passkeys/manage.ts';
import { passkeyRegistrationOptions, passkeyRegistrationVerify } from './passkeys/registration.ts';
import { createPasswordHasher } from './password/hash.ts';
import { createLeakCheck } from './password/leaks.ts';
import { createRateLimits } from './rate-limit/limits.ts';
import { reauthenticate } from './reauthenticate.ts';
import { recover } from './recover.ts';
import { createRecoveryCodes, showRecoveryCodes } from './recovery-codes/manage.ts';
import { verifyRecoveryCode } from './recovery-codes/verify.ts';
import { resend } from './resend.ts';
import { startRetention } from './retention/retention.ts';
import { serveEndpoints } from './routing.ts';
import { consumeAssertion } from './saml/acs.ts';
import { serviceMetadata } from './saml/metadata.ts';
import { beginSingleSignOn } from './saml/sign-in.ts';
import { settings } from './settings.ts';
import { signUp } from './sign-up.ts';
import { isNewSignIn, token } from './token.ts';
import { updateUser } from './update-user.ts';
import { verifyGet, verifyPost } from './verify.ts';

/** What the service works with. `database` logs in as `supabase_auth_admin`. */
export interface AuthServiceOptions {
  config: AuthConfig;
  keys: Keys;
  database: Database;
  outbox: Outbox;
  mailbox: Mailbox;
  /** Work factor of new passwords' hashes, where it is not the usual one. */
  passwordCost?: number | undefined;
}

/** `user_metadata` has up to 32 KiB, three times as much where its characters are sent as escapes. */
const METADATA_BYTES = 128 * 1024;
/** With `app_metadata`, of which there may be as much. */
const ADMIN_METADATA_BYTES = 2 * METADATA_BYTES;
/** Documents of SAML have limits of their own. */
const SAML_BYTES = 1024 * 1024;

const endpoints: readonly Endpoint[] = [
  { method: 'GET', path: '/health', handle: health },
  { method: 'GET', path: '/settings', handle: settings },
  { method: 'GET', path: '/.well-known/jwks.json', handle: jwks },
  { method: 'GET', path: '/.well-known/openid-configuration', handle: openidConfiguration },
  { method: 'POST', path: '/signup', handle: signUp, bodyBytes: METADATA_BYTES, captcha: true },
  { method: 'POST', path: '/token', handle: token, captcha: isNewSignIn },
  { method: 'GET', path: '/.well-known/oauth-authorization-server', handle: authorizationServerMetadata },
  { method: 'POST', path: '/logout', handle: logout },
  { method: 'POST', path: '/otp', handle: otp, bodyBytes: METADATA_BYTES, captcha: true },
  { method: 'POST', path: '/magiclink', handle: magicLink, bodyBytes: METADATA_BYTES, captcha: true },
  { method: 'POST', path: '/recover', handle: recover, captcha: true },
  { method: 'POST', path: '/resend', handle: resend, captcha: true },
  { method: 'GET', path: '/reauthenticate', handle: reauthenticate, usesUp: true },
  { method: 'GET', path: '/verify', handle: verifyGet, usesUp: true },
  { method: 'POST', path: '/verify', handle: verifyPost },
  { method: 'GET', path: '/user', handle: getUser },
  { method: 'PUT', path: '/user', handle: updateUser, bodyBytes: METADATA_BYTES },
  { method: 'DELETE', path: '/user', handle: deleteAccount },
  { method: 'GET', path: '/user/sessions', handle: listOwnSessions },
  { method: 'DELETE', path: '/user/sessions/:sessionId', handle: endOwnSession },
  { method: 'GET', path: '/user/export', handle: exportAccount },
  { method: 'DELETE', path: '/user/identities/:identityId', handle: unlinkIdentity },
  { method: 'GET', path: '/user/identities/authorize', handle: authorizeLinking },
  { method: 'GET', path: '/authorize', handle: authorize },
  { method: 'GET', path: '/callback', handle: callback, usesUp: true },
  { method: 'POST', path: '/callback', handle: callbackPost },
  { method: 'POST', path: '/sso', handle: beginSingleSignOn, captcha: true },
  { method: 'GET', path: '/sso/saml/metadata', handle: serviceMetadata },
  { method: 'POST', path: '/sso/saml/acs', handle: consumeAssertion, bodyBytes: SAML_BYTES },
  { method: 'POST', path: '/factors', handle: enrollFactor },
  { method: 'GET', path: '/factors/recovery-codes', handle: showRecoveryCodes },
  { method: 'POST', path: '/factors/recovery-codes', handle: createRecoveryCodes },
  { method: 'POST', path: '/factors/recovery-codes/verify', handle: verifyRecoveryCode },
  { method: 'POST', path: '/factors/:factorId/challenge', handle: challengeFactor },
  { method: 'POST', path: '/factors/:factorId/verify', handle: verifyFactor },
  { method: 'DELETE', path: '/factors/:factorId', handle: unenrollFactor },
  { method: 'POST', path: '/passkeys/registration/options', handle: passkeyRegistrationOptions },
  { method: 'POST', path: '/passkeys/registration/verify', handle: passkeyRegistrationVerify },
  {
    method: 'POST',
    path: '/passkeys/authentication/options',
    handle: passkeyAuthenticationOptions,
    captcha: true,
  },
  { method: 'POST', path: '/passkeys/authentication/verify', handle: passkeyAuthenticationVerify },
  { method: 'GET', path: '/passkeys', handle: listPasskeys },
  { method: 'PATCH', path: '/passkeys/:passkeyId', handle: updatePasskey },
  { method: 'DELETE', path: '/passkeys/:passkeyId', handle: removePasskey },
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
  { method: 'DELETE', path: '/admin/users/:userId/sessions/:sessionId', handle: endSessionAsAdmin },
  { method: 'POST', path: '/admin/generate_link', handle: generateLink, bodyBytes: METADATA_BYTES },
  { method: 'GET', path: '/admin/custom-providers', handle: listCustomProviders },
  { method: 'POST', path: '/admin/custom-providers', handle: createCustomProvider },
  { method: 'GET', path: '/admin/custom-providers/:identifier', handle: getCustomProvider },
  { method: 'PUT', path: '/admin/custom-providers/:identifier', handle: updateCustomProvider },
  { method: 'DELETE', path: '/admin/custom-providers/:identifier', handle: removeCustomProvider },
  { method: 'GET', path: '/admin/audit', handle: auditLog },
  { method: 'GET', path: '/admin/messages', handle: listMessagesAsAdmin },
  { method: 'DELETE', path: '/admin/messages', handle: clearMessages },
  { method: 'GET', path: '/admin/messages/:messageId', handle: readMessageAsAdmin },
  { method: 'DELETE', path: '/admin/messages/:messageId', handle: deleteMessageAsAdmin },
  { method: 'GET', path: '/oauth/authorize', handle: authorizeClient, usesUp: true },
  { method: 'GET', path: '/oauth/authorizations/:authorizationId', handle: showAuthorization, usesUp: true },
  { method: 'POST', path: '/oauth/authorizations/:authorizationId/consent', handle: decideAuthorization },
  { method: 'POST', path: '/oauth/token', handle: oauthToken },
  { method: 'GET', path: '/oauth/userinfo', handle: userinfo },
  { method: 'POST', path: '/oauth/userinfo', handle: userinfo },
  { method: 'POST', path: '/oauth/clients/register', handle: registerClient },
  { method: 'GET', path: '/user/oauth/grants', handle: listGrants },
  { method: 'DELETE', path: '/user/oauth/grants', handle: revokeGrant },
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

/** Serves the endpoints below the prefix that it is registered with, usually `/auth/v1`. */
export const authService: FastifyPluginAsync<AuthServiceOptions> = async (
  server,
  { config, keys, database, outbox, mailbox, passwordCost },
) => {
  const hooks = createHooks({ config, database, log: server.log });
  const limits = createRateLimits(config, {
    email: outbox.leaves('mail') || hooks.isSet('sendEmail'),
    phone: outbox.leaves('sms') || hooks.isSet('sendSms'),
  });
  const mailer = createMailer(config, server.log);
  server.addHook('onClose', async () => mailer.close());
  await mailer.load();
  const retention = startRetention({ config, database, log: server.log });
  server.addHook('onClose', () => retention.close());
  serveEndpoints(server, endpoints, {
    config,
    keys,
    database,
    limits,
    outbox,
    mailbox,
    mailer,
    isLeaked: createLeakCheck(config.password.leaks),
    passwords: createPasswordHasher({ cost: passwordCost, keysOf: limits.keysOf }),
    hooks,
    now: () => new Date(),
  });
};

/** The schema `auth`. Runs after the platform's own migrations. */
export const authMigrations: MigrationSource = {
  service: 'auth',
  directory: new URL('./migrations/', import.meta.url),
};
