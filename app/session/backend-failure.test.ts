import {
  AuthApiError,
  AuthRetryableFetchError,
  AuthSessionMissingError,
  AuthUnknownError,
} from '@supabase/supabase-js';
import { describe, expect, it } from 'vitest';
import { isBackendFailure } from './backend-failure.ts';

describe('isBackendFailure', () => {
  it.each([
    ['a network error', new AuthRetryableFetchError('fetch failed', 0), true],
    ['an error of a gateway', new AuthRetryableFetchError('bad gateway', 502), true],
    ['a response that is not JSON', new AuthUnknownError('odd', new Error('odd')), true],
    ['an internal error', new AuthApiError('broken', 500, 'unexpected_failure'), true],
    ['a wrong password', new AuthApiError('no', 400, 'invalid_credentials'), false],
    ['a rate limit', new AuthApiError('slow', 429, 'over_request_rate_limit'), false],
    ['a missing session', new AuthSessionMissingError(), false],
  ])('returns for %s: $2', (_name, error, isFailure) => {
    expect(isBackendFailure(error)).toBe(isFailure);
  });
});
