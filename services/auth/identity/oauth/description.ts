/** Types that describe a provider. */
import type { Profile } from './profile.ts';

/** JSON responses of a provider's API, by the names of {@link OAuthDescription.resources}. */
export type Resources<Name extends string = string> = Record<Name, unknown>;

interface Description {
  /** Scopes of every request; clients may add others. */
  scopes: readonly string[];
  /** Additional parameters of the authorization request. */
  parameters?: Record<string, string>;
  /** Whether to send a code challenge (RFC 7636). Some providers without PKCE support reject one. */
  pkce: boolean;
  /** `basic` for HTTP Basic client authentication; otherwise the credentials go into the body (RFC 6749 §2.3.1). */
  clientAuthentication?: 'basic';
}

/** An OpenID Connect provider: its endpoints come from discovery, its profiles from ID tokens. */
export interface OidcDescription extends Description {
  kind: 'oidc';
  /** @param base the configured URL, without a slash at the end */
  issuer(base: string | undefined): string;
  /** The sign-in page if it is known in advance, which saves users the wait for the discovery request. */
  signInPage?(base: string | undefined): string | undefined;
  /** URL of the discovery document, if it is not below the issuer. */
  discoveryUrl?: string;
  /**
   * Whether to accept ID tokens of an issuer other than the discovered one, e.g. of another tenant.
   * @param base the configured URL, without a slash at the end
   */
  acceptsIssuer?(issuer: string, base: string | undefined): boolean;
  /** @param form parameters of the callback */
  profile(claims: Record<string, unknown>, form: URLSearchParams): Profile;
}

/** A provider of plain OAuth 2.0, which returns profiles from its own API. */
export interface OAuthDescription extends Description {
  kind: 'oauth2';
  /** Set if the provider issues ID tokens as well, e.g. to native apps. */
  idTokens?: {
    issuer: string;
    /** Whether clients can set the nonce of a token. */
    hasNonce: boolean;
  };
  /** @param base the configured URL, without a slash at the end */
  endpoints(base: string | undefined): { authorization: string; token: string };
  /** Resources to fetch with the access token: name → URL. */
  resources(base: string | undefined): Resources;
  /** Additional headers that the API requires. */
  headers?(clientId: string): Record<string, string>;
  /** @param token response of the token endpoint */
  profile(resources: Resources, token: Record<string, unknown>): Profile | undefined;
}

export type ProviderDescription = OidcDescription | OAuthDescription;
