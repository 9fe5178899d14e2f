/** GET and DELETE /user/oauth/grants: list and revoke the consents that the caller has given to applications. */

import { createAuditedChange } from '../audit/audited-change.ts';
import { auditEntry } from '../audit/entry.ts';
import { writeAudit } from '../audit/write.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { requireCaller, requireCallerOrImpersonator } from '../session/caller.ts';
import { revokeCodes } from './authorization-statements.ts';
import { parseClientId, toClientSummary } from './client.ts';
import { type ConsentRow, endSessionsOfGrant, findConsents, revokeConsent } from './consent-statements.ts';
import { requireOAuthServer } from './enabled.ts';
import { splitScopes } from './scopes.ts';

export async function listGrants(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  requireOAuthServer(context);
  const { user } = await requireCallerOrImpersonator(context, request);
  const consents = await context.database.query<ConsentRow>(findConsents(user.id));
  const body = consents.map((consent) => ({
    client: toClientSummary(consent),
    scopes: splitScopes(consent.scopes),
    granted_at: consent.granted_at,
  }));
  return { status: 200, body };
}

/** Revokes the consent for the application in query parameter `client_id` and ends its sessions. */
export async function revokeGrant(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  requireOAuthServer(context);
  const { user } = await requireCaller(context, request);
  const clientId = parseClientId(request.query.get('client_id') ?? '');
  const traits = { oauth_client_id: clientId, action: 'revoke_oauth_grant' };
  await createAuditedChange(context.database, {
    change: revokeConsent(user.id, clientId, context.now()),
    after: [
      // Codes first: this statement waits for a concurrent exchange, whose session then ends with the others.
      revokeCodes(user.id, clientId),
      endSessionsOfGrant(user.id, clientId),
      ...writeAudit(context, request, [auditEntry(user, 'token_revoked', traits)]),
    ],
    missing: () => failure('oauth_consent_not_found'),
  });
  return { status: 204 };
}
