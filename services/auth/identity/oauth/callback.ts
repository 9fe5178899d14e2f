/**
 * GET and POST /callback: completes a sign-in at a provider. Claims the stored flow, which works once; fetches
 * the profile; finds or creates the account; and redirects to the page where the sign-in started, with a
 * session, a code or an error.
 */
import type { Transaction } from '@greenroom/postgres';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest, AuthResponse } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import { sealProviderTokens } from '../../flow-state/provider-tokens.ts';
import { type Challenge, endFlow, newAuthCode } from '../../flow-state/statements.ts';
import { afterUserCreated } from '../../hooks/after-user-created.ts';
import { type ApprovalRequired, isApprovalRequired, withApproval } from '../../hooks/approval.ts';
import { parseForm } from '../../http/form-body.ts';
import { isUuid } from '../../http/uuid.ts';
import { sessionFragment } from '../../session/fragment.ts';
import type { NewUser } from '../../user/insert.ts';
import { flowSecrets } from './begin.ts';
import { verificationRequired } from './direct-sign-in.ts';
import type { MatchedAccount } from './external-profile.ts';
import { fetchProfile, type ProviderSignIn } from './fetch-profile.ts';
import { findOrCreateAccount } from './find-or-create-account.ts';
import { findProvider } from './find-provider.ts';
import { claimExternalFlow, type ExternalFlow, finishExternalFlow } from './flow.ts';
import { commitWithoutSession, completeSignIn, type SignInResult } from './grant.ts';
import { acceptInvitation } from './invitation.ts';
import { linkIdentity } from './link-identity.ts';
import type { Provider } from './provider.ts';
import { redirectBack, redirectBackWithError, redirectUnknownState } from './redirect-back.ts';
import { retryOnUniqueViolation } from './retry-on-unique-violation.ts';

/** A flow that this request has claimed. */
interface ClaimedFlow {
  flow: ExternalFlow;
  /** Authorization code that the client may exchange after the sign-in. */
  code: string;
}

/** Callback of providers that redirect with parameters in the URL. */
export async function callback(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  return handleCallback(context, request, request.query);
}

/** Callback of providers that let the browser post a form. */
export async function callbackPost(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  return handleCallback(context, request, parseForm(request.body));
}

async function handleCallback(
  context: AuthContext,
  request: AuthRequest,
  parameters: URLSearchParams,
): Promise<AuthResponse> {
  context.limits.check('callback', request, context.now());
  const claimed = await claimFlow(context, parameters.get('state') ?? '');
  if (claimed === undefined) return redirectUnknownState(context);
  const { flow } = claimed;
  const flowRequest = requestFromReferrer(flow, request);
  try {
    requireFresh(flow, context);
    return await finish(context, flowRequest, claimed, parameters);
  } catch (error) {
    await context.database.query(endFlow(flow.id));
    return redirectBackWithError(flow.referrer, error);
  }
}

async function claimFlow(context: AuthContext, state: string): Promise<ClaimedFlow | undefined> {
  if (!isUuid(state)) return undefined;
  const code = newAuthCode();
  const [flow] = await context.database.query<ExternalFlow>(claimExternalFlow(state, code, context.now()));
  return flow && { flow, code };
}

function requireFresh({ created_at }: ExternalFlow, { config, now }: AuthContext): void {
  if (now().getTime() - created_at.getTime() > config.flowLifetimeMs) {
    throw failure('bad_oauth_state', { message: 'OAuth state has expired' });
  }
}

/** Links in mails sent now must lead to where the sign-in started, not to the provider. */
function requestFromReferrer({ referrer }: ExternalFlow, request: AuthRequest): AuthRequest {
  const query = new URLSearchParams({ redirect_to: referrer });
  const header = (name: string) => (name === 'referer' ? undefined : request.header(name));
  return { ...request, query, header };
}

async function finish(
  context: AuthContext,
  request: AuthRequest,
  claimed: ClaimedFlow,
  parameters: URLSearchParams,
): Promise<AuthResponse> {
  const { flow } = claimed;
  requireCode(parameters);
  const provider = await findProvider(context, flow.provider_type);
  const { verifier, nonce } = flowSecrets(context, flow.id);
  const signedIn = await fetchProfile(provider, { parameters, state: flow.id, verifier, nonce }).catch(
    (cause: Error) => {
      const message = `Unable to exchange external code: ${cause.message}`;
      throw failure('unexpected_failure', { message, cause });
    },
  );
  const { response, account } = await withApproval(context, request, (approved) =>
    retryOnUniqueViolation(() =>
      context.hooks.transaction((tx) =>
        complete(tx, context, request, flow, { provider, signedIn, approved }),
      ),
    ),
  );
  if (account.isNew) await afterUserCreated(context, request, account.user);
  if (account.outcome === 'needs verification') throw verificationRequired(provider.name);
  if (response === undefined) return redirectBack(flow.referrer, { query: { code: claimed.code } });
  return redirectBack(flow.referrer, { fragment: sessionFragment(response.body) });
}

function requireCode(parameters: URLSearchParams): void {
  const error = parameters.get('error');
  if (error) {
    const message = parameters.get('error_description') || error;
    throw failure('bad_oauth_callback', { message: message.slice(0, 500), extra: { error } });
  }
  if (!parameters.get('code')) {
    throw failure('bad_oauth_callback', { message: 'OAuth callback with missing authorization code' });
  }
}

/** The provider's profile, and the approved account if one is to be created. */
interface VerifiedCallback {
  provider: Provider;
  signedIn: ProviderSignIn;
  approved: NewUser | undefined;
}

/** With PKCE, no session is opened yet: the client exchanges the code for it. */
async function complete(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  flow: ExternalFlow,
  verified: VerifiedCallback,
): Promise<SignInResult | ApprovalRequired> {
  const account = await resolveAccount(tx, context, request, flow, verified);
  if (isApprovalRequired(account)) {
    await tx.rollback();
    return account;
  }
  const { tokens } = verified.signedIn;
  if (account.outcome === 'needs verification' || flow.code_challenge === null) {
    return completeSignIn(tx, context, request, account, { more: [endFlow(flow.id)], tokens });
  }
  const sealed = sealProviderTokens(tokens, flow.id, context);
  const finished = finishExternalFlow(flow.id, account.user.id, sealed, context.now());
  await commitWithoutSession(tx, context, request, account, [finished]);
  return { response: undefined, account };
}

/** Determines the account: links an identity, accepts an invitation, or finds or creates the account. */
function resolveAccount(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  flow: ExternalFlow,
  { provider, signedIn, approved }: VerifiedCallback,
): Promise<MatchedAccount | ApprovalRequired> {
  const external = {
    provider: provider.name,
    profile: signedIn.profile,
    audience: context.config.jwt.audience,
    emailOptional: flow.email_optional,
    approved,
    challenge: challengeOf(flow),
  };
  if (flow.linking_target_id !== null)
    return linkIdentity(tx, context, request, external, flow.linking_target_id);
  if (flow.invite_token !== null) return acceptInvitation(tx, context, external, flow.invite_token);
  return findOrCreateAccount(tx, context, request, external);
}

/** Undefined for the implicit flow. */
function challengeOf({ code_challenge, code_challenge_method }: ExternalFlow): Challenge | undefined {
  return code_challenge === null
    ? undefined
    : { code_challenge, code_challenge_method: code_challenge_method ?? 'plain' };
}
