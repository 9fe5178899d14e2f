/** The check of `verify_jwt`: whether a request has a valid token or key of the project. */
import { type AccessTokens, type ApiKeyReader, JwtError } from '@greenroom/keys';
import type { FastifyRequest } from 'fastify';
import { failure } from '../errors.ts';

/** Verifies what requests send. */
interface Verifiers {
  tokens: Pick<AccessTokens, 'verify'>;
  readApiKey: ApiKeyReader;
}

const BEARER = /^bearer +(\S+) *$/i;
const OPAQUE_KEY = /^sb_/;
const ASYMMETRIC = new Set(['ES256', 'RS256']);

/**
 * Resolves if the request has a token of any role, or an opaque key. Rejects with an error of the catalogue. The function
 * receives its headers unchanged.
 */
export async function authorize(request: FastifyRequest, { tokens, readApiKey }: Verifiers): Promise<void> {
  const { authorization, apikey } = request.headers;
  if (authorization === undefined) {
    // Without a session, clients send a publishable key as `apikey` only.
    if (typeof apikey === 'string' && OPAQUE_KEY.test(apikey) && (await readApiKey(apikey))) return;
    throw failure('UNAUTHORIZED_NO_AUTH_HEADER');
  }
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) throw failure('UNAUTHORIZED_INVALID_JWT_FORMAT');
  if (OPAQUE_KEY.test(token) && (await readApiKey(token))) return;
  const { sub } = await tokens.verify(token).catch((error: unknown) => {
    throw refusalOf(token, error);
  });
  if (typeof sub === 'string' && sub !== '') request.userId = sub;
}

function refusalOf(token: string, error: unknown): Error {
  if (!(error instanceof JwtError)) return error as Error;
  const algorithm = algorithmOf(token);
  if (algorithm === undefined) return failure('UNAUTHORIZED_INVALID_JWT_FORMAT');
  if (algorithm === 'HS256') return failure('UNAUTHORIZED_LEGACY_JWT');
  if (ASYMMETRIC.has(algorithm)) return failure('UNAUTHORIZED_ASYMMETRIC_JWT');
  return failure('UNAUTHORIZED_UNSUPPORTED_TOKEN_ALGORITHM', {
    message: `Unsupported JWT algorithm ${algorithm}`,
  });
}

/** Returns the algorithm that the header of a token names; undefined if this is not a token. */
function algorithmOf(token: string): string | undefined {
  const parts = token.split('.');
  if (parts.length !== 3) return undefined;
  try {
    const { alg } = JSON.parse(Buffer.from(parts[0] ?? '', 'base64url').toString()) as { alg?: unknown };
    return typeof alg === 'string' ? alg.slice(0, 32) : undefined;
  } catch {
    return undefined;
  }
}
