/**
 * POST /token?grant_type=id_token: signs in with an ID token that a native app or a provider's script received
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
import { signInDirectly } from './direct-sign-in.ts';
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

/** Key sets of issuers, by URL. Each key set refreshes its keys. */
const keySets = new LRUCache<string, ReturnType<typeof createRemoteJWKSet>>({ max: 100 });

/** Signs in; if `link_identity` is true, adds the identity to the caller's account. */
export async function idTokenGrant(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const body = parseBody(request.body, fields);
  if (body.id_token === '') throw invalidRequest('id_token required');
  if (body.provider === '' && (body.client_id === '' || body.issuer === '')) {
    throw invalidRequest('provider or client_id and issuer required');
  }
  const linkTo = body.link_identity ? await requireLinking(context, request) : null;
  if (body.id_token.length > MAX_TOKEN_LENGTH) throw invalidRequest('Bad ID token: it is too long');
  const issuer = await findIssuer(context, body);
  if (!isJwt(body.id_token)) throw invalidRequest('Bad ID token');
  const claims = await verify(body.id_token, issuer);
  checkNonce(claims, body, issuer);
  checkAccessToken(claims, body);
  const external = {
    provider: issuer.provider.name,
    profile: issuer.description.profile(claims, new URLSearchParams()),
    audience: audienceOf(request, context.config),
    emailOptional: issuer.provider.settings.emailOptional,
  };
  return signInDirectly(context, request, external, linkTo);
}

/** Returns the id of the caller, who must be allowed to link identities. */
async function requireLinking(context: AuthContext, request: AuthRequest): Promise<string> {
  const caller = await requireCaller(context, request);
  requireSecondFactor(caller, 403, 'AAL2 required to link identities');
  return caller.user.id;
}

/** Rejects malformed tokens before any request to a provider. */
function isJwt(text: string): boolean {
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
  if (jwks_uri === undefined) throw invalidRequest('The provider publishes no keys');
  try {
    const { payload } = await jwtVerify(token, keySetAt(jwks_uri), {
      algorithms: ALGORITHMS,
      audience: [...provider.settings.clientIds],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['sub', 'exp'],
    });
    if (!isAcceptedIssuer(payload.iss, issuer, description, baseOf(provider)))
      throw invalidRequest('Unacceptable issuer in id_token');
    return payload;
  } catch (error) {
    throw toTokenError(error);
  }
}

function keySetAt(url: string): ReturnType<typeof createRemoteJWKSet> {
  const existing = keySets.get(url);
  if (existing !== undefined) return existing;
  const created = createRemoteJWKSet(new URL(url), { timeoutDuration: TIMEOUT_MS });
  keySets.set(url, created);
  return created;
}

function isAcceptedIssuer(
  iss: string | undefined,
  issuer: string,
  { acceptsIssuer }: OidcDescription,
  base: string | undefined,
): boolean {
  return iss === issuer || (iss !== undefined && acceptsIssuer?.(iss, base) === true);
}

/** Problems with the token are client errors; problems with the provider's keys are server errors. */
function toTokenError(error: unknown): unknown {
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud') {
    return invalidRequest('Unacceptable audience in id_token');
  }
  if (error instanceof errors.JWKSTimeout) {
    return failure('unexpected_failure', {
      message: 'Unable to fetch the keys of the provider',
      cause: error,
    });
  }
  return error instanceof errors.JOSEError ? invalidRequest(`Bad ID token: ${error.code}`) : error;
}

/** A nonce proves that the token was issued for this sign-in. Clients pass its SHA-256 hash to the provider. */
function checkNonce(
  { nonce: claimed }: JWTPayload,
  { nonce }: Fields,
  { provider, skipsNonce }: Issuer,
): void {
  if (skipsNonce || provider.settings.skipNonceCheck) return;
  const expected = typeof claimed === 'string' ? claimed : '';
  if ((expected === '') !== (nonce === '')) {
    throw invalidRequest('Passed nonce and nonce in id_token should either both exist or not.');
  }
  if (nonce === '') return;
  const hash = createHash('sha256').update(nonce).digest('hex');
  if (!secretsEqual(hash, expected)) throw invalidGrant('Nonces mismatch');
}

/** Verifies `at_hash` (OpenID Connect Core 1.0 §3.1.3.8): the left half of the access token's hash. */
function checkAccessToken({ at_hash: claimed }: JWTPayload, { id_token, access_token }: Fields): void {
  if (typeof claimed !== 'string' || access_token === '') return;
  const { alg = '' } = JSON.parse(Buffer.from(id_token.split('.')[0] ?? '', 'base64url').toString());
  const digest = createHash(`sha${/(256|384|512)$/.exec(String(alg))?.[1] ?? '512'}`)
    .update(access_token)
    .digest();
  const half = digest.subarray(0, digest.length / 2).toString('base64url');
  if (!secretsEqual(half, claimed))
    throw invalidRequest('Bad access_token: it does not belong to the ID token');
}

function invalidRequest(description: string) {
  return new OAuthError('invalid_request', description);
}

function invalidGrant(description: string) {
  return new OAuthError('invalid_grant', description);
}
