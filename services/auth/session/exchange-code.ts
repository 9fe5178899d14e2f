/** POST /token?grant_type=pkce: exchanges the authorization code of a PKCE flow for a session. */
import { z } from 'zod';
import { auditEntry } from '../audit/entry.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { matchesChallenge } from '../flow-state/pkce-parameters.ts';
import { openProviderTokens } from '../flow-state/provider-tokens.ts';
import { endFlow, type FlowRow, lockFlowByCode } from '../flow-state/statements.ts';
import { parseBody, textField } from '../http/request-body.ts';
import { findUserById } from '../user/find.ts';
import { isBanned, type UserRow } from '../user/user.ts';
import { grantWithin } from './grant.ts';
import { openSession } from './open.ts';

const fields = z.object({ auth_code: textField, code_verifier: textField });

/** Exchanges a code, which works once. A wrong verifier does not consume the code, as in GoTrue. */
export async function exchangeAuthCode(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const { auth_code: code, code_verifier: verifier } = parseBody(request.body, fields);
  if (code === '' || verifier === '') {
    const message = 'invalid request: both auth code and code verifier should be non-empty';
    throw failure('validation_failed', { message });
  }
  return context.hooks.transaction(async (tx) => {
    const [flow] = await tx.query<FlowRow>(lockFlowByCode(code));
    if (flow?.user_id == null) throw failure('flow_state_not_found');
    requireFresh(flow, context);
    requireVerifier(flow, verifier);
    const [user] = await tx.query<UserRow>(findUserById(flow.user_id));
    if (user === undefined) throw failure('flow_state_not_found');
    if (isBanned(user, context.now())) throw failure('user_banned', { status: 400 });
    const audit = [auditEntry(user, 'login', { provider_type: flow.provider_type })];
    const planned = openSession(context, request, {
      user,
      method: flow.authentication_method,
      audit,
      notAfter: flow.session_not_after ?? undefined,
    });
    return grantWithin(tx, context, request, {
      statements: [endFlow(flow.id), planned.statement, findUserById(user.id)],
      grantOf(results) {
        const signedIn = results.at(-1)?.[0] as UserRow | undefined;
        if (signedIn === undefined || results.at(-2)?.length === 0) throw failure('flow_state_not_found');
        return { ...planned, user: signedIn, providerTokens: openProviderTokens(flow, context) };
      },
    });
  });
}

/** The lifetime starts when the code is issued, so planned an email late does not shorten it. */
function requireFresh({ auth_code_issued_at, created_at }: FlowRow, { config, now }: AuthContext): void {
  const begun = auth_code_issued_at ?? created_at;
  if (now().getTime() - begun.getTime() > config.flowLifetimeMs) throw failure('flow_state_expired');
}

function requireVerifier({ code_challenge, code_challenge_method }: FlowRow, verifier: string): void {
  if (!matchesChallenge(verifier, code_challenge, code_challenge_method)) throw failure('bad_code_verifier');
}
