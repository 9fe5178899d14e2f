/** How a provider is described. */
import type { Profile } from './profile.ts';

/** Answers of a provider's API, as JSON, by the names of {@link OAuthDescription.resources}. */
export type Resources<Name extends string = string> = Record<Name, unknown>;

interface Description {
  /** Always asked for; clients may ask for more. */
  scopes: readonly string[];
  /** More parameters of the authorization request. */
  parameters?: Record<string, string>;
  /** Whether to send a code challenge of our own (RFC 7636). Where it is not known, some providers refuse it. */
  pkce: boolean;
  /** How this service proves that it is the client: by HTTP's Basic scheme; else in the body (RFC 6749 §2.3.1). */
  clientAuthentication?: 'basic';
}

/** A provider of OpenID Connect: its endpoints are discovered, who somebody is says the ID token. */
export interface OidcDescription extends Description {
  kind: 'oidc';
  /** @param base the configured URL, without a slash at the end */
  issuer(base: string | undefined): string;
  /** Its sign-in page, where that is known without asking: nobody has to wait for its discovery document then. */
  signInPage?(base: string | undefined): string | undefined;
  /** Where its discovery document is, if not below the issuer. */
  discoveryUrl?: string;
  /**
   * Whether ID tokens of this issuer are taken where it is not the one that was discovered, e.g. because of tenants.
   * @param base the configured URL, without a slash at the end
   */
  acceptsIssuer?(issuer: string, base: string | undefined): boolean;
  /** @param form what came to the callback beside the code */
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
  /** What is fetched with the access token: name → URL. */
  resources(base: string | undefined): Resources;
  /** Headers that the API wants beside the token. */
  headers?(clientId: string): Record<string, string>;
  /** @param token the token endpoint's answer */
  profile(resources: Resources, token: Record<string, unknown>): Profile | undefined;
}

/** Any provider. */
export type ProviderDescription = OidcDescription | OAuthDescription;
