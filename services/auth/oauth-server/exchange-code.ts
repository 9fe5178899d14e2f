/** Grant `authorization_code`: an application exchanges its code for tokens (RFC 6749 §4.1.3, RFC 7636 §4.5). */
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
import { idTokenOf } from './id-token.ts';
import type { Parameters } from './parameters.ts';
import { tokenAnswer } from './token-answer.ts';

/** A code that comes again so soon was sent twice by one program at once, and not by two. */
const AT_ONCE_MS = 1000;
const METHOD = 'oauth_provider/authorization_code';

/**
 * Exchanges a code. It is good once: coming again, with everything that belongs to it, it ends the session that it gave,
 * for one of two parties must have stolen it (RFC 6749 §4.1.2).
 */
export async function exchangeCode(
  context: AuthContext,
  request: AuthRequest,
  client: ClientRow,
  parameters: Parameters,
): Promise<AuthResponse> {
  const code = parameters('code');
  if (code === '') throw new OAuthError('invalid_request', 'code is required');
  const arrivedAt = context.now().getTime();
  return context.hooks.transaction(async (tx) => {
    const [granted] = await tx.query<AuthorizationRow>(lockAuthorizationByCode(hashCode(code)));
    requireItsClient(granted, client, parameters);
    if (granted.status === 'expired') {
      // Committed, and only then refused.
      await tx.commit([endSessionOfCode(granted.id, new Date(arrivedAt - AT_ONCE_MS))]);
    }
    if (granted.status !== 'approved' || granted.expires_at <= context.now()) throw refused();
    return open(tx, context, request, { client, granted });
  });
}

/** Before anything is done with a code, whoever brings it must be the one who began. */
function requireItsClient(
  granted: AuthorizationRow | undefined,
  client: ClientRow,
  parameters: Parameters,
): asserts granted is AuthorizationRow {
  if (granted?.client_id !== client.id) throw refused();
  const [redirectUri, resource] = [parameters('redirect_uri'), parameters('resource')];
  if (redirectUri !== '' && redirectUri !== granted.redirect_uri) throw refused();
  if (resource !== '' && resource !== granted.resource) throw refused();
  const { code_challenge: challenge, code_challenge_method: method } = granted;
  if (!matchesChallenge(parameters('code_verifier'), challenge, method)) throw refused();
}

async function open(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  { client, granted }: { client: ClientRow; granted: AuthorizationRow },
): Promise<AuthResponse> {
  const [user] = granted.user_id === null ? [] : await tx.query<UserRow>(findUserById(granted.user_id));
  if (user === undefined || isBanned(user, context.now())) throw refused();
  const [proven] = await tx.query<ProvenAddresses>(findProvenAddresses(user.id));
  const traits = { provider_type: 'oauth_provider_authorization_code', client_id: client.id };
  const opening = openSession(context, request, {
    user,
    method: METHOD,
    audit: [auditEntry(user, 'login', traits)],
    application: { client: { id: client.id, scope: granted.scope }, sessionId: granted.id },
  });
  const granting = grantWithin(tx, context, request, {
    statements: [
      closeAuthorization(granted.id, 'expired'),
      opening.statement,
      findUserById(user.id),
      deleteOldAuthorizations(context.now()),
    ],
    grantOf(results) {
      const signedIn = results[2]?.[0] as UserRow | undefined;
      if (signedIn === undefined || results[1]?.length === 0) throw refused();
      return { ...opening, user: signedIn };
    },
  });
  const [answer, idToken] = await Promise.all([granting, idTokenOf(context, granted, user, proven)]);
  return tokenAnswer(answer, { client, scope: granted.scope, idToken });
}

/** Always the same: what is wrong with a code is nobody's business who cannot use it. */
function refused(): OAuthError {
  return new OAuthError('invalid_grant', 'The authorization code is not valid');
}
