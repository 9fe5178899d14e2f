/**
 * POST /token?grant_type=id_token: signs in with an ID token that a native app or a provider's own script was given
 * (OpenID Connect Core 1.0 §3.1.3.7).
 */
import { createHash } from 'node:crypto';
import { secretsEqual } from '@greenroom/keys';
import { createRemoteJWKSet, decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest, AuthResponse } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import { OAuthError } from '../../http/oauth-error.ts';
import { parseBody, textField } from '../../http/request-body.ts';
import { requireCaller, requireSecondFactor } from '../../session/caller.ts';
import { audienceOf } from '../../user/audience.ts';
import { connect } from './connection.ts';
import type { OidcDescription } from './description.ts';
import { signInHere } from './here.ts';
import { findIssuer, type Issuer } from './issuer.ts';
import { baseOf } from './provider.ts';

const fields = z.object({
  id_token: textField,
  provider: textField,
  client_id: textField,
  issuer: textField,
  access_token: textField,
  nonce: textField,
  link_identity: z.boolean().nullish(),
});

type Fields = z.output<typeof fields>;

const CLOCK_TOLERANCE_SECONDS = 5;
const TIMEOUT_MS = 4000;
const MAX_TOKEN_LENGTH = 16_384;
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** Keys of issuers, by where they are; each set looks for new ones itself. */
const keySets = new LRUCache<string, ReturnType<typeof createRemoteJWKSet>>({ max: 100 });

/** Signs in, or adds the identity to the caller's account where `link_identity` is true. */
export async function idTokenGrant(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const body = parseBody(request.body, fields);
  if (body.id_token === '') throw refused('id_token required');
  if (body.provider === '' && (body.client_id === '' || body.issuer === '')) {
    throw refused('provider or client_id and issuer required');
  }
  const linkTo = body.link_identity ? await requireLinking(context, request) : null;
  if (body.id_token.length > MAX_TOKEN_LENGTH) throw refused('Bad ID token: it is too long');
  const issuer = await findIssuer(context, body);
  if (!isToken(body.id_token)) throw refused('Bad ID token');
  const claims = await verify(body.id_token, issuer);
  checkNonce(claims, body, issuer);
  checkAccessToken(claims, body);
  const arrival = {
    provider: issuer.provider.name,
    profile: issuer.description.profile(claims, new URLSearchParams()),
    audience: audienceOf(request, context.config),
    emailOptional: issuer.provider.settings.emailOptional,
  };
  return signInHere(context, request, arrival, linkTo);
}

/** The id of the caller, to whose account an identity may be added. */
async function requireLinking(context: AuthContext, request: AuthRequest): Promise<string> {
  const caller = await requireCaller(context, request);
  requireSecondFactor(caller, 403, 'AAL2 required to link identities');
  return caller.user.id;
}

/** Nobody is asked about what cannot be one. */
function isToken(text: string): boolean {
  try {
    return typeof decodeJwt(text).iss === 'string';
  } catch {
    return false;
  }
}

async function verify(token: string, { provider, description }: Issuer): Promise<JWTPayload> {
  const connection = await connect({ ...provider, description }).catch((cause: unknown) => {
    const message = `Unable to reach provider ${provider.name}`;
    throw failure('unexpected_failure', { message, cause });
  });
  const { issuer, jwks_uri } = connection.serverMetadata();
  if (jwks_uri === undefined) throw refused('The provider publishes no keys');
  try {
    const { payload } = await jwtVerify(token, keySetAt(jwks_uri), {
      algorithms: ALGORITHMS,
      audience: [...provider.settings.clientIds],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['sub', 'exp'],
    });
    if (!isFrom(payload.iss, issuer, description, baseOf(provider)))
      throw refused('Unacceptable issuer in id_token');
    return payload;
  } catch (error) {
    throw refusedToken(error);
  }
}

function keySetAt(url: string): ReturnType<typeof createRemoteJWKSet> {
  const known = keySets.get(url);
  if (known !== undefined) return known;
  const made = createRemoteJWKSet(new URL(url), { timeoutDuration: TIMEOUT_MS });
  keySets.set(url, made);
  return made;
}

function isFrom(
  iss: string | undefined,
  issuer: string,
  { acceptsIssuer }: OidcDescription,
  base: string | undefined,
): boolean {
  return iss === issuer || (iss !== undefined && acceptsIssuer?.(iss, base) === true);
}

/** What is wrong with a token is the client's business, what is wrong with the provider's keys is not. */
function refusedToken(error: unknown): unknown {
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud') {
    return refused('Unacceptable audience in id_token');
  }
  if (error instanceof errors.JWKSTimeout) {
    return failure('unexpected_failure', {
      message: 'Unable to fetch the keys of the provider',
      cause: error,
    });
  }
  return error instanceof errors.JOSEError ? refused(`Bad ID token: ${error.code}`) : error;
}

/** A nonce proves that the token was made for this sign-in. Clients hand its hash to the provider. */
function checkNonce(
  { nonce: claimed }: JWTPayload,
  { nonce }: Fields,
  { provider, skipsNonce }: Issuer,
): void {
  if (skipsNonce || provider.settings.skipNonceCheck) return;
  const expected = typeof claimed === 'string' ? claimed : '';
  if ((expected === '') !== (nonce === '')) {
    throw refused('Passed nonce and nonce in id_token should either both exist or not.');
  }
  if (nonce === '') return;
  const hash = createHash('sha256').update(nonce).digest('hex');
  if (!secretsEqual(hash, expected)) throw invalid('Nonces mismatch');
}

/** OpenID Connect Core 1.0 §3.1.3.8, for the algorithms with SHA-256: the left half of the token's hash. */
function checkAccessToken({ at_hash: claimed }: JWTPayload, { id_token, access_token }: Fields): void {
  if (typeof claimed !== 'string' || access_token === '') return;
  const { alg = '' } = JSON.parse(Buffer.from(id_token.split('.')[0] ?? '', 'base64url').toString());
  const digest = createHash(`sha${/(256|384|512)$/.exec(String(alg))?.[1] ?? '512'}`)
    .update(access_token)
    .digest();
  const half = digest.subarray(0, digest.length / 2).toString('base64url');
  if (!secretsEqual(half, claimed)) throw refused('Bad access_token: it does not belong to the ID token');
}

function refused(description: string) {
  return new OAuthError('invalid_request', description);
}

function invalid(description: string) {
  return new OAuthError('invalid_grant', description);
}
