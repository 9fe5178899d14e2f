import { describe, expect, it } from 'vitest';
import { problemOf } from './ceremonies.ts';
import { isHostName } from './host-name.ts';

describe('isHostName', () => {
  it.each([
    ['localhost', true],
    ['example.org', true],
    ['1.example.org', true],
    ['127.0.0.1', false],
    ['[::1]', false],
    ['', false],
  ])('returns for %s: %s', (host, isName) => {
    expect(isHostName(host)).toBe(isName);
  });
});

describe('problemOf', () => {
  it.each([
    [null, undefined],
    [{ name: 'NotAllowedError', code: 'ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY' }, 'cancelled'],
    [{ name: 'WebAuthnError', code: 'ERROR_CEREMONY_ABORTED' }, 'cancelled'],
    [{ name: 'InvalidStateError', code: 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED' }, 'already-registered'],
    [{ name: 'AuthApiError', code: 'webauthn_verification_failed' }, 'rejected'],
    [{ name: 'AuthApiError', code: 'mfa_webauthn_enroll_not_enabled' }, 'disabled'],
    [{ name: 'AuthApiError', code: 'too_many_passkeys' }, 'too-many-passkeys'],
    [{ name: 'AuthApiError', code: 'too_many_enrolled_mfa_factors' }, 'too-many-factors'],
    [{ name: 'AuthRetryableFetchError', code: undefined }, 'failed'],
  ])('translates %j to %s', (error, problem) => {
    expect(problemOf(error)).toBe(problem);
  });
});
