/** An issuer of tokens that an operator trusts, and the document that it publishes about itself. */

/** An issuer whose tokens data, storage and realtime accept. */
export interface TrustedIssuer {
  /** The claim `iss` of its tokens, without a trailing slash; its discovery document is below this URL. */
  url: string;
  /** The claim `aud` that its tokens must contain; undefined if any audience is accepted. */
  audience: string | undefined;
}

/**
 * Whether two URLs of issuers are the same except for a trailing slash, which some issuers have in the claim `iss` and
 * their operators leave out.
 */
export function isSameIssuer(one: unknown, other: string): boolean {
  return typeof one === 'string' && one.replace(/\/$/, '') === other.replace(/\/$/, '');
}
