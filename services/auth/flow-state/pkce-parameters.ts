/** Parameters of Proof Key for Code Exchange (RFC 7636 §4.3) in requests. */
import { createHash } from 'node:crypto';
import { secretsEqual } from '@greenroom/keys';
import { failure } from '../errors.ts';

const MIN_CHALLENGE_LENGTH = 43;
const MAX_CHALLENGE_LENGTH = 128;
const METHODS = new Set(['s256', 'plain']);
/** RFC 7636 §4.2: unreserved characters only. */
const UNRESERVED = /^[A-Za-z0-9._~-]+$/;

/** Checks that both or neither are present and that the challenge is well-formed. Throws `validation_failed`. */
export function checkPkceParameters(challenge: string, method: string): void {
  if ((challenge === '') !== (method === '')) {
    throw refused('PKCE flow requires code_challenge_method and code_challenge');
  }
  if (challenge === '') return;
  if (!METHODS.has(method.toLowerCase())) {
    throw refused('code_challenge_method has to be s256 or plain');
  }
  if (challenge.length < MIN_CHALLENGE_LENGTH || challenge.length > MAX_CHALLENGE_LENGTH) {
    throw refused(
      `code challenge has to be between ${MIN_CHALLENGE_LENGTH} and ${MAX_CHALLENGE_LENGTH} characters`,
    );
  }
  if (!UNRESERVED.test(challenge)) {
    throw refused(
      'code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes',
    );
  }
}

/**
 * Whether a verifier matches a challenge (RFC 7636 §4.6).
 * @param method `s256` or `plain`
 */
export function matchesChallenge(verifier: string, challenge: string, method: string): boolean {
  const proof = method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url');
  return secretsEqual(proof, challenge);
}

function refused(message: string) {
  return failure('validation_failed', { message });
}
