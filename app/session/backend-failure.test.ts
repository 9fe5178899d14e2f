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
    ['no connection', new AuthRetryableFetchError('fetch failed', 0), true],
    ['a gateway that complains', new AuthRetryableFetchError('bad gateway', 502), true],
    ['an answer that is no JSON', new AuthUnknownError('odd', new Error('odd')), true],
    ['an internal error', new AuthApiError('broken', 500, 'unexpected_failure'), true],
    ['a wrong password', new AuthApiError('no', 400, 'invalid_credentials'), false],
    ['a rate limit', new AuthApiError('slow', 429, 'over_request_rate_limit'), false],
    ['no session', new AuthSessionMissingError(), false],
  ])('returns for %s', (_name, error, isFailure) => {
    expect(isBackendFailure(error)).toBe(isFailure);
  });
});
