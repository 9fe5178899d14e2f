/**
 * GET and POST /verify: exchanges a code or a link's token for a session. Links in mails are GET requests. They
 * redirect with the session or the error in the fragment, or, with PKCE, with a code in the query.
 */
import { CatalogueError } from '@greenroom/errors';
import { z } from 'zod';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { parseBody, textField } from '../http/request-body.ts';
import { redirectTarget, redirectUrl } from '../redirect/target.ts';
import { sessionFragment } from '../session/fragment.ts';
import { audienceOf } from '../user/audience.ts';
import { parseEmail } from '../user/email-address.ts';
import { parsePhone } from '../user/phone-number.ts';
import { PKCE_PREFIX } from './code.ts';
import { delayErrors } from './minimum-duration.ts';
import { isPhoneType, isVerificationType, type VerificationType } from './verification-type.ts';
import { finishVerification, type Verified } from './verify/finish.ts';
import type { Proof } from './verify/owner.ts';

const FIRST_OF_TWO = 'Confirmation link accepted. Please proceed to confirm link sent to the other email';

const fields = z.object({
  type: textField,
  token: textField,
  token_hash: textField,
  email: textField,
  phone: textField,
  redirect_to: textField,
});

type Fields = z.output<typeof fields>;

/** Handles POST /verify: responds with the session. */
export async function verifyPost(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const now = context.now();
  context.limits.check('verify', request, now);
  const body = parseBody(request.body, fields);
  const type = requireType(body.type);
  const proof = readProof(body, type, audienceOf(request, context.config));
  const verification = { type, proof, isPkce: false };
  const verified = await context.limits.guard(
    request,
    now,
    () => delayErrors(() => finishVerification(context, request, verification)),
    isWrongProof,
  );
  if (verified.outcome === 'half-confirmed') return { status: 200, body: { msg: FIRST_OF_TWO, code: '200' } };
  return requireSession(verified);
}

/** Handles GET /verify, which users open in a browser: redirects. */
export async function verifyGet(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  context.limits.check('verify', request, context.now());
  const token = request.query.get('token') ?? '';
  if (token === '') throw refused('Verify requires a token');
  const type = requireType(request.query.get('type') ?? '');
  const target = redirectTarget(context, request);
  const isPkce = token.startsWith(PKCE_PREFIX);
  try {
    const verification = { type, proof: { by: 'link', token } as const, isPkce };
    const verified = await context.limits.guard(
      request,
      context.now(),
      () => finishVerification(context, request, verification),
      isWrongProof,
    );
    return redirect(destination(target, verified, type, isPkce));
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error;
    return { ...redirect(errorDestination(target, error, isPkce)), errorCode: error.code };
  }
}

function requireType(type: string): VerificationType {
  if (type === '') throw refused('Verify requires a verification type');
  if (isVerificationType(type)) return type;
  throw refused('Unsupported verification type');
}

/** Parses the token or code of the body. Throws `validation_failed`. */
function readProof(
  { token, token_hash, email, phone, redirect_to }: Fields,
  type: VerificationType,
  audience: string,
): Proof {
  if ((token === '') === (token_hash === '')) {
    throw refused('Verify requires either a token or a token hash');
  }
  if (token_hash !== '') {
    if (email !== '' || phone !== '' || redirect_to !== '') {
      throw refused('Only the token_hash and type should be provided');
    }
    if (isPhoneType(type)) throw refused('Invalid email verification type');
    return { by: 'link', token: token_hash };
  }
  if ((email === '') === (phone === '')) {
    throw refused('Only an email address or phone number should be provided on verify');
  }
  if ((phone !== '') !== isPhoneType(type)) throw refused('Unsupported verification type');
  const address = phone === '' ? parseEmail(email) : parsePhone(phone);
  return { by: 'code', address, code: token, audience };
}

function isWrongProof(error: unknown): boolean {
  return error instanceof CatalogueError && error.code === 'otp_expired';
}

function requireSession(verified: Verified): AuthResponse {
  if (verified.outcome === 'session') return verified.response;
  throw failure('unexpected_failure');
}

function destination(target: string, verified: Verified, type: VerificationType, isPkce: boolean): string {
  if (verified.outcome === 'half-confirmed') {
    const message = { message: FIRST_OF_TWO };
    return redirectUrl(target, { fragment: message, ...(isPkce && { query: message }) });
  }
  if (verified.outcome === 'code') return redirectUrl(target, { query: { code: verified.code } });
  return redirectUrl(target, { fragment: { ...sessionFragment(verified.response.body), type } });
}

/** HTTP status → error code of OAuth 2.0 (RFC 6749 §4.1.2.1). */
const OAUTH_ERRORS: Record<number, string> = {
  400: 'invalid_request',
  401: 'unauthorized_client',
  403: 'access_denied',
  500: 'server_error',
  503: 'temporarily_unavailable',
};

function errorDestination(
  target: string,
  { status, code, message }: CatalogueError,
  isPkce: boolean,
): string {
  const error = OAUTH_ERRORS[status];
  const parameters = { ...(error && { error }), error_code: code, error_description: message };
  return redirectUrl(target, { fragment: parameters, ...(isPkce && { query: parameters }) });
}

/** Redirects without a referrer, so that the target does not see the link, and without caching. */
function redirect(location: string): AuthResponse {
  return {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  };
}

function refused(message: string) {
  return failure('validation_failed', { message });
}
