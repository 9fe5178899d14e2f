/** Requires captchas: a token in the body of a request proves that a person makes it. */
import { CatalogueError } from '@greenroom/errors';
import { z } from 'zod';
import type { AuthContext, Endpoint } from '../context.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { parseBody, textField } from '../http/request-body.ts';
import { requireAdmin } from '../session/caller.ts';
import { verifyCaptchaToken } from './verifier.ts';

const fields = z.object({ gotrue_meta_security: z.object({ captcha_token: textField }).nullish() });

/** Turnstile tokens have up to 2048 characters, hCaptcha tokens about as many. */
const MAX_TOKEN_LENGTH = 8192;

/**
 * Checks the captcha of a request. Returns if the endpoint needs none, if an admin makes the request, or if the token
 * is valid. Throws `captcha_failed`, or `unexpected_failure` if the provider cannot be reached.
 */
export async function requireCaptcha(
  { captcha: needsCaptcha }: Endpoint,
  context: AuthContext,
  request: AuthRequest,
): Promise<void> {
  const { captcha } = context.config;
  if (captcha === undefined || !(needsCaptcha === true || needsCaptcha?.(request))) return;
  if (await isAdmin(context, request)) return;
  const token = readToken(request);
  if (token === '') throw disallowed('no captcha_token found');
  if (token.length > MAX_TOKEN_LENGTH) throw disallowed('captcha_token is too long');
  context.limits.check('captcha', request, context.now());
  const verdict = await verifyCaptchaToken(captcha, token, request.address).catch((cause: unknown) => {
    throw failure('unexpected_failure', { message: 'captcha verification process failed', cause });
  });
  if (!verdict.isPerson) throw disallowed(verdict.reasons.join(', ') || 'no reason given');
}

async function isAdmin(context: AuthContext, request: AuthRequest): Promise<boolean> {
  if (request.bearer === undefined) return false;
  try {
    await requireAdmin(context, request);
    return true;
  } catch (error) {
    if (error instanceof CatalogueError) return false;
    throw error;
  }
}

/** Returns an empty text without a body, because some of these endpoints need none. */
function readToken({ body }: AuthRequest): string {
  if (body === undefined || body.length === 0) return '';
  return parseBody(body, fields).gotrue_meta_security?.captcha_token.trim() ?? '';
}

function disallowed(reason: string) {
  return failure('captcha_failed', { message: `captcha protection: request disallowed (${reason})` });
}
