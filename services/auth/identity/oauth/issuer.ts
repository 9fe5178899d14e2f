/** Determines the issuer of an ID token, and the clients that it may be for. */
import type { AuthContext } from '../../context.ts';
import { failure } from '../../errors.ts';
import { OAuthError } from '../../http/oauth-error.ts';
import type { OidcDescription } from './description.ts';
import { standardProfile } from './descriptions/standard-profile.ts';
import { findProvider } from './find-provider.ts';
import { baseOf, type Provider } from './provider.ts';
import { PROVIDERS } from './providers.ts';

/** A provider as the issuer of ID tokens. */
export interface Issuer {
  provider: Provider;
  description: OidcDescription;
  /** Whether to skip the nonce check because clients cannot set one. */
  skipsNonce: boolean;
}

/** Finds the issuer by the provider or issuer in the request. Throws `provider_disabled`. */
export async function findIssuer(
  context: AuthContext,
  named: { provider: string; issuer: string; client_id: string },
): Promise<Issuer> {
  const name = named.provider || providerNameOf(context, named.issuer);
  const provider = await findProvider(context, name).catch(() => {
    const message = `Provider ${JSON.stringify((named.provider || named.issuer).slice(0, 200))} is not enabled`;
    throw failure('provider_disabled', { message });
  });
  if (named.provider === '' && !provider.settings.clientIds.includes(named.client_id)) {
    throw new OAuthError('invalid_request', 'Unacceptable client_id');
  }
  const description = oidcOf(provider);
  if (description === undefined) {
    throw new OAuthError('invalid_request', `Provider ${provider.name} does not issue ID tokens`);
  }
  const skipsNonce = provider.description.kind === 'oauth2' && !provider.description.idTokens?.hasNonce;
  return { provider, description, skipsNonce };
}

/**
 * Returns the name of the provider with this issuer or URL; `unknown` if there is none or the issuer is not
 * allowed.
 */
function providerNameOf({ config }: AuthContext, issuer: string): string {
  const { idTokenIssuers, providers } = config.externalProviders;
  if (!idTokenIssuers.includes(issuer)) return 'unknown';
  const builtIn = PROVIDERS.find(({ idTokenIssuer }) => idTokenIssuer === issuer);
  if (builtIn) return builtIn.name;
  const [name = 'unknown'] = [...providers].find(([, { url }]) => url === issuer) ?? [];
  return name;
}

function oidcOf(provider: Provider): OidcDescription | undefined {
  const { description } = provider;
  if (description.kind === 'oidc') return description;
  const { idTokens } = description;
  if (idTokens === undefined) return undefined;
  return {
    kind: 'oidc',
    scopes: [],
    pkce: false,
    issuer: () => baseOf(provider) ?? idTokens.issuer,
    profile: (claims) => standardProfile(claims),
  };
}
