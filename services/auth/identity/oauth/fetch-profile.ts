/** Exchanges a provider's code for tokens and fetches the profile of their user. */
import {
  authorizationCodeGrant,
  type Configuration,
  fetchProtectedResource,
  fetchUserInfo,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
} from 'openid-client';
import type { ProviderTokens } from '../../flow-state/provider-tokens.ts';
import { connect } from './connection.ts';
import type { OAuthDescription, OidcDescription, Resources } from './description.ts';
import type { Profile } from './profile.ts';
import { baseOf, type Provider } from './provider.ts';

/** The parts of a callback that the exchange needs. */
interface ProviderCallback {
  /** `code`, `state` and further parameters of the callback. */
  parameters: URLSearchParams;
  state: string;
  /** Verifier of the code challenge sent to the provider. */
  verifier: string;
  nonce: string;
}

/** A user who has signed in at a provider. */
export interface ProviderSignIn {
  profile: Profile;
  tokens: ProviderTokens;
}

type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers;

/**
 * Exchanges the code and fetches the profile. Rejects if the provider reports an error, returns an invalid
 * response or cannot be reached.
 */
export async function fetchProfile(provider: Provider, callback: ProviderCallback): Promise<ProviderSignIn> {
  const connection = await connect(provider);
  const { description } = provider;
  const tokens = await exchangeCode(connection, provider, callback);
  const profile =
    description.kind === 'oidc'
      ? await readIdToken(connection, description, tokens, callback.parameters)
      : await readResources(connection, provider, description, tokens);
  if (profile === undefined || profile.subject === '') throw new Error('the provider returned no user id');
  return {
    profile,
    tokens: { accessToken: tokens.access_token, refreshToken: tokens.refresh_token },
  };
}

function exchangeCode(
  connection: Configuration,
  { description, settings }: Provider,
  { parameters, state, verifier, nonce }: ProviderCallback,
): Promise<Tokens> {
  const url = new URL(settings.redirectUri);
  // Pass only these parameters: openid-client would have to be configured for others that a provider may add.
  for (const name of ['code', 'state', 'iss']) {
    const value = parameters.get(name);
    if (value !== null) url.searchParams.set(name, value);
  }
  return authorizationCodeGrant(connection, url, {
    expectedState: state,
    ...(description.pkce && { pkceCodeVerifier: verifier }),
    ...(description.kind === 'oidc' && { expectedNonce: nonce, idTokenExpected: true }),
  });
}

/** Some providers return the email address only at the userinfo endpoint. */
async function readIdToken(
  connection: Configuration,
  description: OidcDescription,
  tokens: Tokens,
  form: URLSearchParams,
): Promise<Profile> {
  const claims = { ...tokens.claims() } as Record<string, unknown>;
  const { userinfo_endpoint } = connection.serverMetadata();
  const isComplete = claims.email !== undefined || userinfo_endpoint === undefined;
  const more = isComplete
    ? {}
    : await fetchUserInfo(connection, tokens.access_token, String(claims.sub ?? ''));
  return description.profile({ ...more, ...claims }, form);
}

async function readResources(
  connection: Configuration,
  provider: Provider,
  description: OAuthDescription,
  tokens: Tokens,
): Promise<Profile | undefined> {
  const headers = new Headers({
    accept: 'application/json',
    'user-agent': 'greenroom',
    ...description.headers?.(provider.settings.clientIds[0]),
  });
  const resources = Object.entries(description.resources(baseOf(provider)));
  const responses = await Promise.all(
    resources.map(async ([name, url]) => {
      const response = await fetchProtectedResource(
        connection,
        tokens.access_token,
        new URL(String(url)),
        'GET',
        undefined,
        headers,
      );
      if (!response.ok)
        throw new Error(`the provider responded with status ${response.status} to the request for ${name}`);
      return [name, await response.json()] as const;
    }),
  );
  return description.profile(Object.fromEntries(responses) as Resources, { ...tokens });
}
