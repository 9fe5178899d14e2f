/** Whose ID tokens are taken, and for which clients. */
import type { AuthContext } from '../../context.ts';
import { failure } from '../../errors.ts';
import { OAuthError } from '../../http/oauth-error.ts';
import type { OidcDescription } from './description.ts';
import { standardProfile } from './descriptions/oidc.ts';
import { findProvider } from './find-provider.ts';
import { baseOf, type Provider } from './provider.ts';

/** A provider as the issuer of ID tokens. */
export interface Issuer {
  provider: Provider;
  description: OidcDescription;
  /** Whose tokens never have a nonce that clients could know. */
  skipsNonce: boolean;
}

/** Providers that sign people in by plain OAuth 2.0, and have ID tokens besides. */
const ISSUERS_BESIDES: Record<string, string> = {
  facebook: 'https://www.facebook.com',
  kakao: 'https://kauth.kakao.com',
  snapchat: 'https://accounts.snapchat.com',
};

/** Finds the issuer that a client names, by its provider or by itself. Throws `provider_disabled`. */
export async function findIssuer(
  context: AuthContext,
  named: { provider: string; issuer: string; client_id: string },
): Promise<Issuer> {
  const name = named.provider || nameOf(context, named.issuer);
  const provider = await findProvider(context, name).catch(() => {
    const message = `Provider ${JSON.stringify((named.provider || named.issuer).slice(0, 200))} is not enabled`;
    throw failure('provider_disabled', { message });
  });
  if (named.provider === '' && !provider.settings.clientIds.includes(named.client_id)) {
    throw new OAuthError('invalid_request', 'Unacceptable client_id');
  }
  const description = oidcOf(provider);
  if (description === undefined) {
    throw new OAuthError('invalid_request', `Provider ${provider.name} has no ID tokens`);
  }
  return { provider, description, skipsNonce: provider.name === 'facebook' };
}

/** An issuer that is not allowed, or whose provider is not enabled, has no name. */
function nameOf({ config }: AuthContext, issuer: string): string {
  const { idTokenIssuers } = config.externalProviders;
  if (!idTokenIssuers.includes(issuer)) return 'unknown';
  const enabled = [...config.externalProviders.providers.keys()];
  const named = { 'https://accounts.google.com': 'google', 'https://appleid.apple.com': 'apple' }[issuer];
  return (
    named ?? enabled.find((name) => config.externalProviders.providers.get(name)?.url === issuer) ?? 'unknown'
  );
}

function oidcOf(provider: Provider): OidcDescription | undefined {
  const { description, name } = provider;
  if (description.kind === 'oidc') return description;
  const issuer = ISSUERS_BESIDES[name];
  if (issuer === undefined) return undefined;
  return {
    kind: 'oidc',
    scopes: [],
    pkce: false,
    issuer: () => baseOf(provider) ?? issuer,
    profile: (claims) => standardProfile(claims),
  };
}
