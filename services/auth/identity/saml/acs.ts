/**
 * POST /sso/saml/acs, the assertion consumer service: receives an identity provider's response from the
 * browser. Redirects to the app with a session in the fragment, or with PKCE with a code in the query. Errors
 * go to the site, in the query.
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
import { finishSignIn, type SignInResult } from './finish.ts';
import { findProvider, findProviderByEntity, type ProviderRow } from './provider.ts';
import { consumeRelayState } from './relay-state.ts';
import { parseResponse, type UnverifiedResponse, verifyResponse } from './response.ts';
import { requireServiceProvider, type ServiceProvider } from './service-provider.ts';

/** The sign-in that a response belongs to. */
interface SignInAttempt {
  /** Undefined for sign-ins initiated by the identity provider, as are the next two. */
  provider: ProviderRow | undefined;
  requestId: string | undefined;
  /** Set with PKCE. */
  flowId: string | undefined;
  /** As requested; not validated yet. */
  redirectTo: string;
}

/** Consumes a response. */
export async function consumeAssertion(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const serviceProvider = requireServiceProvider(context.config);
  context.limits.check('assertion', request, context.now());
  try {
    const { result, redirectTo } = await signIn(context, request, serviceProvider);
    const { siteUrl } = context.config.redirects;
    const target = allowedRedirect(redirectTo, context.config) ?? siteUrl;
    return redirect(302, destination(target, result));
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error;
    const target = redirectUrl(context.config.redirects.siteUrl, { query: errorParameters(error) });
    return { ...redirect(303, target), errorCode: error.code };
  }
}

async function signIn(context: AuthContext, request: AuthRequest, serviceProvider: ServiceProvider) {
  const form = parseForm(request.body);
  // Must come first: each request consumes its relay state, even if the rest of it is invalid.
  const { requestId, flowId, redirectTo, ...attempt } = await resolveAttempt(
    context,
    form.get('RelayState') ?? '',
  );
  const response = parseResponse(form.get('SAMLResponse') ?? '');
  const provider = attempt.provider ?? (await findSender(context, response));
  if (provider.disabled) throw failure('sso_provider_disabled');
  const identityProvider = await currentIdentityProvider(context, provider);
  const check = { serviceProvider, identityProvider, requestId, now: context.now() };
  const assertion = await verifyResponse(response, check);
  const subject = subjectOf(assertion, provider.attribute_mapping ?? {}, provider.entity_id);
  const result = await finishSignIn(context, request, { provider, assertion, subject, flowId });
  return { result, redirectTo };
}

/**
 * Resolves the relay state: one stored by this service, or, for sign-ins initiated by the identity provider,
 * the URL to redirect to.
 */
async function resolveAttempt(context: AuthContext, relayState: string): Promise<SignInAttempt> {
  if (!isUuid(relayState)) {
    if (relayState !== '' && !URL.canParse(relayState)) {
      throw failure('validation_failed', { message: 'SAML RelayState is not a valid UUID or URL' });
    }
    return { provider: undefined, requestId: undefined, flowId: undefined, redirectTo: relayState };
  }
  const state = await consumeRelayState(context, relayState);
  const [provider] = await context.database.query<ProviderRow>(findProvider(state.sso_provider_id));
  if (provider === undefined) throw failure('sso_provider_not_found');
  return {
    provider,
    requestId: state.request_id,
    flowId: state.flow_state_id ?? undefined,
    redirectTo: state.redirect_to ?? '',
  };
}

async function findSender({ database }: AuthContext, { issuer }: UnverifiedResponse): Promise<ProviderRow> {
  const [provider] = await database.query<ProviderRow>(findProviderByEntity(issuer));
  if (provider !== undefined) return provider;
  throw failure('saml_idp_not_found');
}

function destination(target: string, result: SignInResult): string {
  if ('code' in result) return redirectUrl(target, { query: { code: result.code } });
  return redirectUrl(target, { fragment: sessionFragment(result.response.body) });
}

/** HTTP status → OAuth 2.0 error code (RFC 6749 §4.1.2.1); `server_error` for all others. */
const OAUTH_ERRORS: Record<number, string> = {
  400: 'invalid_request',
  401: 'unauthorized_client',
  403: 'access_denied',
  503: 'temporarily_unavailable',
};
const ACCESS_DENIED = new Set(['signup_disabled', 'user_banned']);

function errorParameters({ status, code, message }: CatalogueError): Record<string, string> {
  const error = ACCESS_DENIED.has(code) ? 'access_denied' : (OAUTH_ERRORS[status] ?? 'server_error');
  return { error, error_code: code, error_description: message };
}

/** The URL may contain secrets: forbid caching and a referrer. */
function redirect(status: number, location: string): AuthResponse {
  return { status, headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } };
}
