/**
 * POST /sso/saml/acs, the assertion consumer service: where a browser brings what an identity provider says of somebody.
 * Redirects to the app with a session in the fragment, or under PKCE with a code in the query. What is wrong is told to
 * the site, in the query.
 */
import { CatalogueError } from '@greenroom/errors';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest, AuthResponse } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import { parseForm } from '../../http/form-body.ts';
import { isUuid } from '../../http/uuid.ts';
import { allowedRedirect } from '../../redirect/allow-list.ts';
import { redirectUrl } from '../../redirect/target.ts';
import { sessionFragment } from '../../session/fragment.ts';
import { subjectOf } from './attributes.ts';
import { currentIdentityProvider } from './current-metadata.ts';
import { type Finished, finishSignIn } from './finish.ts';
import { findProvider, findProviderByEntity, type ProviderRow } from './provider.ts';
import { takeRelayState } from './relay-state.ts';
import { parseResponse, type SentResponse, verifyResponse } from './response.ts';
import { requireServiceProvider, type ServiceProvider } from './service-provider.ts';

/** The sign-in that a response belongs to. */
interface Attempt {
  /** Undefined where the identity provider has begun, as are the next two. */
  provider: ProviderRow | undefined;
  requestId: string | undefined;
  /** Under PKCE. */
  flowId: string | undefined;
  /** As it was asked for, not checked. */
  redirectTo: string;
}

/** Takes a response. */
export async function consumeAssertion(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const serviceProvider = requireServiceProvider(context.config);
  context.limits.check('assertion', request, context.now());
  try {
    const { finished, redirectTo } = await signIn(context, request, serviceProvider);
    const { siteUrl } = context.config.redirects;
    const target = allowedRedirect(redirectTo, context.config) ?? siteUrl;
    return redirect(302, destination(target, finished));
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error;
    return redirect(303, redirectUrl(context.config.redirects.siteUrl, { query: told(error) }));
  }
}

async function signIn(context: AuthContext, request: AuthRequest, serviceProvider: ServiceProvider) {
  const form = parseForm(request.body);
  // Before anything else: a relay state is used up by whatever comes with it.
  const { requestId, flowId, redirectTo, ...begun } = await attemptOf(context, form.get('RelayState') ?? '');
  const sent = parseResponse(form.get('SAMLResponse') ?? '');
  const provider = begun.provider ?? (await senderOf(context, sent));
  if (provider.disabled) throw failure('sso_provider_disabled');
  const identityProvider = await currentIdentityProvider(context, provider);
  const check = { serviceProvider, identityProvider, requestId, now: context.now() };
  const assertion = await verifyResponse(sent, check);
  const subject = subjectOf(assertion, provider.attribute_mapping ?? {}, provider.entity_id);
  const finished = await finishSignIn(context, request, { provider, assertion, subject, flowId });
  return { finished, redirectTo };
}

/** A relay state of ours, or where the identity provider has begun the URL to go to. */
async function attemptOf(context: AuthContext, relayState: string): Promise<Attempt> {
  if (!isUuid(relayState)) {
    if (relayState !== '' && !URL.canParse(relayState)) {
      throw failure('validation_failed', { message: 'SAML RelayState is not a valid UUID or URL' });
    }
    return { provider: undefined, requestId: undefined, flowId: undefined, redirectTo: relayState };
  }
  const state = await takeRelayState(context, relayState);
  const [provider] = await context.database.query<ProviderRow>(findProvider(state.sso_provider_id));
  if (provider === undefined) throw failure('sso_provider_not_found');
  return {
    provider,
    requestId: state.request_id,
    flowId: state.flow_state_id ?? undefined,
    redirectTo: state.redirect_to ?? '',
  };
}

async function senderOf({ database }: AuthContext, { issuer }: SentResponse): Promise<ProviderRow> {
  const [provider] = await database.query<ProviderRow>(findProviderByEntity(issuer));
  if (provider !== undefined) return provider;
  throw failure('saml_idp_not_found');
}

function destination(target: string, finished: Finished): string {
  if ('code' in finished) return redirectUrl(target, { query: { code: finished.code } });
  return redirectUrl(target, { fragment: sessionFragment(finished.answer.body) });
}

/** HTTP status → error code of OAuth 2.0 (RFC 6749 §4.1.2.1); `server_error` for others. */
const OAUTH_ERRORS: Record<number, string> = {
  400: 'invalid_request',
  401: 'unauthorized_client',
  403: 'access_denied',
  503: 'temporarily_unavailable',
};
const DENIED = new Set(['signup_disabled', 'user_banned']);

function told({ status, code, message }: CatalogueError): Record<string, string> {
  const error = DENIED.has(code) ? 'access_denied' : (OAUTH_ERRORS[status] ?? 'server_error');
  return { error, error_code: code, error_description: message };
}

/** Where it leads must not learn where it came from, and no cache may keep it. */
function redirect(status: number, location: string): AuthResponse {
  return { status, headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } };
}
