/**
 * GET and POST /callback: somebody comes back from a provider. Takes the sign-in up, once; asks the provider who they are;
 * finds or makes their account; and sends them to where they came from, with a session or a code. What goes wrong is told
 * there, too.
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
import { admit } from './admission.ts';
import { askProvider, type SignedInThere } from './ask-provider.ts';
import { flowSecrets } from './begin.ts';
import type { Admission } from './external-profile.ts';
import { findProvider } from './find-provider.ts';
import { type ExternalFlow, finishExternalFlow, takeExternalFlow } from './flow.ts';
import { commitWithoutSession, type Ending, grantAdmission } from './grant.ts';
import { needsVerification } from './here.ts';
import { acceptInvitation } from './invitation.ts';
import { link } from './link.ts';
import type { Provider } from './provider.ts';
import { badState, sentBack, sentBackWithError } from './sent-back.ts';
import { twice } from './twice.ts';

/** A sign-in that was taken up. */
interface Return {
  flow: ExternalFlow;
  /** What a client may exchange at the end. */
  code: string;
}

/** Providers that send a browser with parameters in the URL. */
export async function callback(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  return comeBack(context, request, request.query);
}

/** Providers that have the browser post a form. */
export async function callbackPost(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  return comeBack(context, request, parseForm(request.body));
}

async function comeBack(
  context: AuthContext,
  request: AuthRequest,
  parameters: URLSearchParams,
): Promise<AuthResponse> {
  context.limits.check('callback', request, context.now());
  const taken = await takeUp(context, parameters.get('state') ?? '');
  if (taken === undefined) return badState(context);
  const { flow } = taken;
  const inner = sentFrom(flow, request);
  try {
    requireFresh(flow, context);
    return await finish(context, inner, taken, parameters);
  } catch (error) {
    await context.database.query(endFlow(flow.id));
    return sentBackWithError(flow.referrer, error);
  }
}

async function takeUp(context: AuthContext, state: string): Promise<Return | undefined> {
  if (!isUuid(state)) return undefined;
  const code = newAuthCode();
  const [flow] = await context.database.query<ExternalFlow>(takeExternalFlow(state, code, context.now()));
  return flow && { flow, code };
}

function requireFresh({ created_at }: ExternalFlow, { config, now }: AuthContext): void {
  if (now().getTime() - created_at.getTime() > config.flowLifetimeMs) {
    throw failure('bad_oauth_state', { message: 'OAuth state has expired' });
  }
}

/** Messages that are sent now lead to where the sign-in was begun, and not to the provider. */
function sentFrom({ referrer }: ExternalFlow, request: AuthRequest): AuthRequest {
  const query = new URLSearchParams({ redirect_to: referrer });
  const header = (name: string) => (name === 'referer' ? undefined : request.header(name));
  return { ...request, query, header };
}

async function finish(
  context: AuthContext,
  request: AuthRequest,
  taken: Return,
  parameters: URLSearchParams,
): Promise<AuthResponse> {
  const { flow } = taken;
  requireCode(parameters);
  const provider = await findProvider(context, flow.provider_type);
  const { verifier, nonce } = flowSecrets(context, flow.id);
  const there = await askProvider(provider, { parameters, state: flow.id, verifier, nonce }).catch(
    (cause: Error) => {
      const message = `Unable to exchange external code: ${cause.message}`;
      throw failure('unexpected_failure', { message, cause });
    },
  );
  const { answer, admission } = await withApproval(context, request, (approved) =>
    twice(() =>
      context.hooks.transaction((tx) => complete(tx, context, request, flow, { provider, there, approved })),
    ),
  );
  if (admission.isNew) await afterUserCreated(context, request, admission.user);
  if (admission.outcome === 'needs verification') throw needsVerification(provider.name);
  if (answer === undefined) return sentBack(flow.referrer, { query: { code: taken.code } });
  return sentBack(flow.referrer, { fragment: sessionFragment(answer.body) });
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

/** Who has come, from where. */
interface Arriving {
  provider: Provider;
  there: SignedInThere;
  approved: NewUser | undefined;
}

/** Under PKCE the session comes later, in exchange for the code. */
async function complete(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  flow: ExternalFlow,
  arriving: Arriving,
): Promise<Ending | ApprovalRequired> {
  const admission = await settle(tx, context, request, flow, arriving);
  if (isApprovalRequired(admission)) {
    await tx.rollback();
    return admission;
  }
  const { tokens } = arriving.there;
  if (admission.outcome === 'needs verification' || flow.code_challenge === null) {
    return grantAdmission(tx, context, request, admission, { more: [endFlow(flow.id)], tokens });
  }
  const sealed = sealProviderTokens(tokens, flow.id, context);
  const finished = finishExternalFlow(flow.id, admission.user.id, sealed, context.now());
  await commitWithoutSession(tx, context, request, admission, [finished]);
  return { answer: undefined, admission };
}

/** Whose account it is. */
function settle(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  flow: ExternalFlow,
  { provider, there, approved }: Arriving,
): Promise<Admission | ApprovalRequired> {
  const arrival = {
    provider: provider.name,
    profile: there.profile,
    audience: context.config.jwt.audience,
    emailOptional: flow.email_optional,
    approved,
    challenge: challengeOf(flow),
  };
  if (flow.linking_target_id !== null) return link(tx, context, request, arrival, flow.linking_target_id);
  if (flow.invite_token !== null) return acceptInvitation(tx, context, arrival, flow.invite_token);
  return admit(tx, context, request, arrival);
}

/** Undefined where the flow is the implicit one. */
function challengeOf({ code_challenge, code_challenge_method }: ExternalFlow): Challenge | undefined {
  return code_challenge === null
    ? undefined
    : { code_challenge, code_challenge_method: code_challenge_method ?? 'plain' };
}
