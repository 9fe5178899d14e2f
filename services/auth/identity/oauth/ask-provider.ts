/** Exchanges a provider's code for its tokens, and asks who they are for. */
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

/** A callback, as far as the provider is concerned. */
interface ProviderAnswer {
  /** What came with it: `code`, `state` and more. */
  parameters: URLSearchParams;
  state: string;
  /** Of our own code challenge. */
  verifier: string;
  nonce: string;
}

/** Somebody who has signed in at a provider. */
export interface SignedInThere {
  profile: Profile;
  tokens: ProviderTokens;
}

type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers;

/** Asks. Rejects where the provider refuses, answers nonsense, or cannot be reached. */
export async function askProvider(provider: Provider, answer: ProviderAnswer): Promise<SignedInThere> {
  const connection = await connect(provider);
  const { description } = provider;
  const tokens = await exchangeCode(connection, provider, answer);
  const profile =
    description.kind === 'oidc'
      ? await readIdToken(connection, description, tokens, answer.parameters)
      : await readResources(connection, provider, description, tokens);
  if (profile === undefined || profile.subject === '') throw new Error('the provider names nobody');
  return {
    profile,
    tokens: { accessToken: tokens.access_token, refreshToken: tokens.refresh_token },
  };
}

function exchangeCode(
  connection: Configuration,
  { description, settings }: Provider,
  { parameters, state, verifier, nonce }: ProviderAnswer,
): Promise<Tokens> {
  const url = new URL(settings.redirectUri);
  // Only these: a provider may repeat in the others what the library would have to be told of.
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

/** Some providers tell the address at another endpoint only. */
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
  const wanted = Object.entries(description.resources(baseOf(provider)));
  const answers = await Promise.all(
    wanted.map(async ([name, url]) => {
      const response = await fetchProtectedResource(
        connection,
        tokens.access_token,
        new URL(String(url)),
        'GET',
        undefined,
        headers,
      );
      if (!response.ok) throw new Error(`the provider answers ${response.status} when asked for ${name}`);
      return [name, await response.json()] as const;
    }),
  );
  return description.profile(Object.fromEntries(answers) as Resources, { ...tokens });
}
