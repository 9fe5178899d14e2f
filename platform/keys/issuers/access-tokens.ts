/**
 * Accepts the tokens of trusted issuers in addition to those of the instance. Only the claim `iss` of an unverified token
 * selects an issuer; its key always comes from the issuer's own key set, never from the token.
 */
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { asJwtError } from '../jwt-error.ts';
import { type AccessTokens, type Keys, requireThreeParts } from '../keyring.ts';
import { fetchKeySet } from './fetch-key-set.ts';
import { createRemoteKeys, type RemoteKeys } from './remote-keys.ts';
import { isSameIssuer, type TrustedIssuer } from './trusted-issuer.ts';

/** Asymmetric algorithms: with a symmetric one, the verifier could also sign. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** Tolerated difference between the clocks of issuer and server. */
const CLOCK_TOLERANCE_SECONDS = 5;
/** Tolerance of a verification whose caller validates the times. */
const ANY_TIME = Number.MAX_SAFE_INTEGER;

/** Options of {@link acceptIssuers}. `now` returns milliseconds since the epoch. */
interface AcceptanceOptions {
  /** Called if the keys of an issuer cannot be fetched. */
  onFailure: (issuer: string, error: unknown) => void;
  now?: () => number;
}

interface KnownIssuer extends TrustedIssuer {
  keys: RemoteKeys;
}

/** Returns the verification of the instance's own tokens and those of the issuers. */
export function acceptIssuers(
  own: Keys,
  issuers: readonly TrustedIssuer[],
  { onFailure, now = Date.now }: AcceptanceOptions,
): AccessTokens {
  if (issuers.length === 0) return own;
  const known: readonly KnownIssuer[] = issuers.map((issuer) => ({
    ...issuer,
    keys: createRemoteKeys({
      fetchKeys: () => fetchKeySet(issuer),
      onFailure: (error) => onFailure(issuer.url, error),
      now,
    }),
  }));

  /** Returns undefined for tokens that the instance's own keys verify or reject. */
  function issuerOf(token: string): KnownIssuer | undefined {
    const unverified = decode(token);
    if (unverified === undefined || own.hasKey(unverified.kid)) return undefined;
    return known.find(({ url }) => isSameIssuer(unverified.iss, url));
  }

  async function verifyBy({ keys, url, audience }: KnownIssuer, token: string, clockTolerance: number) {
    const { payload } = await jwtVerify(token, keys.find, {
      algorithms: ALGORITHMS,
      issuer: [url, `${url}/`],
      ...(audience !== undefined && { audience }),
      requiredClaims: ['exp'],
      clockTolerance,
      currentDate: new Date(now()),
    }).catch((error: unknown) => {
      throw asJwtError(error);
    });
    return payload;
  }

  return {
    async verify(token) {
      requireThreeParts(token);
      const issuer = issuerOf(token);
      return issuer === undefined ? own.verify(token) : verifyBy(issuer, token, CLOCK_TOLERANCE_SECONDS);
    },
    async verifySignature(token) {
      requireThreeParts(token);
      const issuer = issuerOf(token);
      return issuer === undefined ? own.verifySignature(token) : verifyBy(issuer, token, ANY_TIME);
    },
    hasKey: (kid) => own.hasKey(kid) || known.some(({ keys }) => keys.has(kid)),
    isFromThirdParty: ({ iss }) => known.some(({ url }) => isSameIssuer(iss, url)),
  };
}

interface UnverifiedToken {
  kid: string;
  iss: unknown;
}

/** Returns undefined for a token that no issuer can have signed: unreadable, without `kid`, or with a shared secret. */
function decode(token: string): UnverifiedToken | undefined {
  try {
    const { alg = '', kid } = decodeProtectedHeader(token);
    if (typeof kid !== 'string' || !ALGORITHMS.includes(alg)) return undefined;
    return { kid, iss: decodeJwt(token).iss };
  } catch {
    return undefined;
  }
}
