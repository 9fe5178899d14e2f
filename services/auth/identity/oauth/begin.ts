/** Starts a sign-in at a provider: stores the flow and builds the URL of the provider's sign-in page. */
import { createHmac, randomUUID } from 'node:crypto';
import { buildAuthorizationUrl, calculatePKCECodeChallenge } from 'openid-client';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import { checkPkceParameters } from '../../flow-state/pkce-parameters.ts';
import { redirectTarget } from '../../redirect/target.ts';
import { connectToSignInPage } from './connection.ts';
import { findProvider } from './find-provider.ts';
import { beginExternalFlow } from './flow.ts';
import type { Provider } from './provider.ts';

/** Parameters that are not forwarded to the provider. All others of the client are. */
const RESERVED_PARAMETERS = new Set([
  ...['provider', 'scopes', 'redirect_to', 'invite_token', 'apikey', 'skip_http_redirect', 'email_optional'],
  ...['client_id', 'client_secret', 'redirect_uri', 'response_type', 'response_mode', 'state', 'nonce'],
  ...['code_challenge', 'code_challenge_method', 'code_verifier', 'request', 'request_uri', 'scope'],
]);
const MAX_PARAMETERS_LENGTH = 2000;
/** Invitation tokens of this service have about sixty characters. */
const INVITE_TOKEN = /^[\w-]{1,255}$/;

/**
 * Begins a sign-in. Throws `validation_failed` for unknown or disabled providers and for invalid parameters,
 * and `unexpected_failure` if the provider cannot be reached.
 * @param linkTo id of the user to whose account the identity is to be added
 * @returns URL of the provider's sign-in page
 */
export async function beginSignIn(
  context: AuthContext,
  request: AuthRequest,
  linkTo: string | null = null,
): Promise<string> {
  const { query } = request;
  const provider = await findProvider(context, query.get('provider') ?? '');
  const challenge = {
    code_challenge: query.get('code_challenge') ?? '',
    code_challenge_method: query.get('code_challenge_method') ?? '',
  };
  checkPkceParameters(challenge.code_challenge, challenge.code_challenge_method);
  const inviteToken = query.get('invite_token') || null;
  if (inviteToken !== null && !INVITE_TOKEN.test(inviteToken)) {
    throw failure('validation_failed', { message: 'invite_token is not valid' });
  }
  const id = randomUUID();
  const url = await signInUrl(context, provider, id, query);
  await context.database.query(
    beginExternalFlow(
      {
        id,
        provider: provider.name,
        challenge,
        target: redirectTarget(context, request),
        linkTo,
        inviteToken,
        emailOptional: provider.settings.emailOptional,
      },
      context.now(),
    ),
  );
  return url;
}

async function signInUrl(
  context: AuthContext,
  provider: Provider,
  state: string,
  query: URLSearchParams,
): Promise<string> {
  const { description, settings } = provider;
  const connection = await connectToSignInPage(provider).catch((cause: unknown) => {
    throw failure('unexpected_failure', { message: `Unable to reach provider ${provider.name}`, cause });
  });
  const { verifier, nonce } = flowSecrets(context, state);
  const url = buildAuthorizationUrl(connection, {
    ...forwardedParameters(query),
    ...description.parameters,
    redirect_uri: settings.redirectUri,
    scope: scopesOf(provider, query).join(' '),
    state,
    ...(description.kind === 'oidc' && { nonce }),
    ...(description.pkce && {
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }),
  });
  return url.href;
}

/**
 * Returns the secrets that only the callback may know. They are derived from the flow's id and therefore not
 * stored.
 */
export function flowSecrets({ keys }: AuthContext, id: string): { verifier: string; nonce: string } {
  const derive = (purpose: string) =>
    createHmac('sha256', keys.derive('external-flows')).update(`${purpose}:${id}`).digest('base64url');
  return { verifier: derive('verifier'), nonce: derive('nonce') };
}

function scopesOf({ description }: Provider, query: URLSearchParams): string[] {
  const requested = (query.get('scopes') ?? '').split(/[\s,]+/).filter(Boolean);
  return [...new Set([...description.scopes, ...requested])];
}

function forwardedParameters(query: URLSearchParams): Record<string, string> {
  const forwarded = [...query].filter(([name]) => !RESERVED_PARAMETERS.has(name));
  if (new URLSearchParams(forwarded).toString().length > MAX_PARAMETERS_LENGTH) {
    throw failure('validation_failed', { message: 'Too many parameters for the provider' });
  }
  return Object.fromEntries(forwarded);
}
