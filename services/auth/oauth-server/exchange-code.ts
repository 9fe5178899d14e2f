/** Grant `authorization_code`: exchanges an authorization code for tokens (RFC 6749 §4.1.3, RFC 7636 §4.5). */
import type { Transaction } from '@greenroom/postgres';
import { auditEntry } from '../audit/entry.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { matchesChallenge } from '../flow-state/pkce-parameters.ts';
import { OAuthError } from '../http/oauth-error.ts';
import { findProvenAddresses, type ProvenAddresses } from '../one-time/proof/statements.ts';
import { grantWithin } from '../session/grant.ts';
import { openSession } from '../session/open.ts';
import { findUserById } from '../user/find.ts';
import { isBanned, type UserRow } from '../user/user.ts';
import { type AuthorizationRow, hashCode } from './authorization.ts';
import {
  closeAuthorization,
  deleteOldAuthorizations,
  endSessionOfCode,
  lockAuthorizationByCode,
} from './authorization-statements.ts';
import type { ClientRow } from './client.ts';
import { createIdToken } from './id-token.ts';
import type { Parameters } from './parameters.ts';
import { tokenResponse } from './token-response.ts';

/** A second use within this time is a duplicate request of one program, not the use of a stolen code. */
const DUPLICATE_REQUEST_MS = 1000;
const METHOD = 'oauth_provider/authorization_code';

/**
 * Exchanges a code, which works once. A later second use with valid parameters ends the session that the first
 * one opened, since one of the two parties has stolen the code (RFC 6749 §4.1.2).
 */
export async function exchangeCode(
  context: AuthContext,
  request: AuthRequest,
  client: ClientRow,
  parameters: Parameters,
): Promise<AuthResponse> {
  const code = parameters('code');
  if (code === '') throw new OAuthError('invalid_request', 'code is required');
  const receivedAt = context.now().getTime();
  return context.hooks.transaction(async (tx) => {
    const [authorization] = await tx.query<AuthorizationRow>(lockAuthorizationByCode(hashCode(code)));
    requireMatchingRequest(authorization, client, parameters);
    if (authorization.status === 'expired') {
      // Commit before rejecting, so that the session ends although the request fails.
      await tx.commit([endSessionOfCode(authorization.id, new Date(receivedAt - DUPLICATE_REQUEST_MS))]);
    }
    if (authorization.status !== 'approved' || authorization.expires_at <= context.now())
      throw invalidGrant();
    return issueTokens(tx, context, request, { client, authorization });
  });
}

/** Must precede all effects on a code: the client must be the one that started the request. */
function requireMatchingRequest(
  authorization: AuthorizationRow | undefined,
  client: ClientRow,
  parameters: Parameters,
): asserts authorization is AuthorizationRow {
  if (authorization?.client_id !== client.id) throw invalidGrant();
  const [redirectUri, resource] = [parameters('redirect_uri'), parameters('resource')];
  if (redirectUri !== '' && redirectUri !== authorization.redirect_uri) throw invalidGrant();
  if (resource !== '' && resource !== authorization.resource) throw invalidGrant();
  const { code_challenge: challenge, code_challenge_method: method } = authorization;
  if (!matchesChallenge(parameters('code_verifier'), challenge, method)) throw invalidGrant();
}

async function issueTokens(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  { client, authorization }: { client: ClientRow; authorization: AuthorizationRow },
): Promise<AuthResponse> {
  const [user] =
    authorization.user_id === null ? [] : await tx.query<UserRow>(findUserById(authorization.user_id));
  if (user === undefined || isBanned(user, context.now())) throw invalidGrant();
  const [proven] = await tx.query<ProvenAddresses>(findProvenAddresses(user.id));
  const traits = { provider_type: 'oauth_provider_authorization_code', client_id: client.id };
  const planned = openSession(context, request, {
    user,
    method: METHOD,
    audit: [auditEntry(user, 'login', traits)],
    application: { client: { id: client.id, scope: authorization.scope }, sessionId: authorization.id },
  });
  const granting = grantWithin(tx, context, request, {
    statements: [
      closeAuthorization(authorization.id, 'expired'),
      planned.statement,
      findUserById(user.id),
      deleteOldAuthorizations(context.now()),
    ],
    grantOf(results) {
      const signedIn = results[2]?.[0] as UserRow | undefined;
      if (signedIn === undefined || results[1]?.length === 0) throw invalidGrant();
      return { ...planned, user: signedIn };
    },
  });
  const [response, idToken] = await Promise.all([
    granting,
    createIdToken(context, authorization, user, proven),
  ]);
  return tokenResponse(response, { client, scope: authorization.scope, idToken });
}

/** The message never varies, so it reveals nothing about a code to clients that cannot use it. */
function invalidGrant(): OAuthError {
  return new OAuthError('invalid_grant', 'The authorization code is not valid');
}
