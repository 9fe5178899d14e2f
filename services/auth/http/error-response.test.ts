import { PoolTimeoutError } from '@greenroom/postgres';
import { describe, expect, it } from 'vitest';
import { failure } from '../errors.ts';
import { errorResponse } from './error-response.ts';

const legacy = { apiVersion: undefined, requestId: 'request-1' };
const current = { apiVersion: '2024-01-01', requestId: 'request-1' };

function databaseError(code: string, fields: object = {}): Error {
  return Object.assign(new Error('from a trigger'), { code, severity: 'ERROR', ...fields });
}

describe('errorResponse', () => {
  it('has the older shape without a version', () => {
    expect(errorResponse(failure('signup_disabled'), legacy)).toEqual({
      status: 422,
      errorCode: 'signup_disabled',
      headers: { 'x-sb-error-code': 'signup_disabled' },
      body: { code: 422, error_code: 'signup_disabled', msg: 'Signups not allowed for this instance' },
    });
  });

  it('has the newer shape with a version, and echoes it', () => {
    expect(errorResponse(failure('signup_disabled'), current)).toEqual({
      status: 422,
      errorCode: 'signup_disabled',
      headers: { 'x-sb-error-code': 'signup_disabled', 'x-supabase-api-version': '2024-01-01' },
      body: { code: 'signup_disabled', message: 'Signups not allowed for this instance' },
    });
  });

  it.each([
    ['2024-01-01', 'signup_disabled'],
    ['2024-01-02', 'signup_disabled'],
    ['2031-12-31', 'signup_disabled'],
    ['2023-12-31', 422],
    ['2024-13-01', 422],
    ['2024-02-30', 422],
    ['2024-1-1', 422],
    ['20240101', 422],
    ['latest', 422],
    ['', 422],
  ])('has for version %j the code %s', (apiVersion, code) => {
    const { body } = errorResponse(failure('signup_disabled'), { apiVersion, requestId: '' });
    expect(body).toMatchObject({ code });
  });

  it.each([
    [
      legacy,
      { code: 422, error_code: 'weak_password', msg: 'short', weak_password: { reasons: ['length'] } },
    ],
    [current, { code: 'weak_password', message: 'short', weak_password: { reasons: ['length'] } }],
  ])('contains the reasons of a weak password (%#)', (context, body) => {
    const error = failure('weak_password', {
      message: 'short',
      extra: { weak_password: { reasons: ['length'] } },
    });
    expect(errorResponse(error, context).body).toEqual(body);
  });

  it.each([
    [legacy, { code: 500, error_code: 'unexpected_failure', error_id: 'request-1' }],
    [current, { code: 'unexpected_failure' }],
  ])('hides unexpected errors in a plain 500 (%#)', (context, body) => {
    const response = errorResponse(new Error('the secret is 42'), context);
    expect(response).toMatchObject({ status: 500, body });
    expect(JSON.stringify(response)).not.toContain('42');
  });

  it('contains the request id in a 504, too', () => {
    expect(errorResponse(failure('request_timeout'), legacy).body).toMatchObject({ error_id: 'request-1' });
  });

  it.each([
    ['P0001', {}, 500, { code: 'P0001', message: 'from a trigger' }],
    ['P0001', { hint: 'try', detail: 'why' }, 500, { code: 'P0001', hint: 'try', detail: 'why' }],
    ['23514', {}, 500, { code: '23514' }],
    ['23505', {}, 500, { code: '23505' }],
    ['PT418', {}, 418, { code: 'PT418' }],
  ])('passes errors of triggers to clients of the older shape: %s', (code, fields, status, body) => {
    const error = failure('unexpected_failure', { cause: databaseError(code, fields) });
    expect(errorResponse(error, legacy)).toMatchObject({ status, body });
  });

  it.each([
    ['another error of PostgreSQL', databaseError('42P01'), legacy],
    ['an invalid status', databaseError('PT999'), legacy],
    ['an error of the file system', Object.assign(new Error('gone'), { code: 1 }), legacy],
    ['clients of the newer shape', databaseError('P0001'), current],
  ])('hides other errors: %s', (_, cause, context) => {
    const { status, body } = errorResponse(failure('unexpected_failure', { cause }), context);
    expect(status).toBe(500);
    expect(JSON.stringify(body)).toContain('unexpected_failure');
    expect(JSON.stringify(body)).not.toContain('from a trigger');
  });

  it.each([
    ['a lost connection', Object.assign(new Error('gone'), { code: 'EPIPE', syscall: 'write' })],
    ['a refused connection', Object.assign(new Error('no'), { code: 'ECONNREFUSED', syscall: 'connect' })],
    ['a pool without a free connection', new PoolTimeoutError('busy')],
    ['a server that starts', databaseError('57P03')],
    ['a server that stops', databaseError('57P01')],
    ['a server with too many connections', databaseError('53300')],
  ])('responds with 503 and Retry-After to %s', (_, cause) => {
    for (const error of [cause, failure('unexpected_failure', { message: 'Database error', cause })]) {
      const response = errorResponse(error, current);
      expect([response.status, response.headers?.['retry-after']]).toEqual([503, '1']);
      expect(response.body).toEqual({
        code: 'unexpected_failure',
        message: 'The database is not available. Try again shortly.',
      });
    }
  });

  it('never contains the cause of a known error', () => {
    const error = failure('bad_jwt', { cause: new Error('the secret is 42') });
    expect(JSON.stringify(errorResponse(error, legacy))).not.toContain('42');
  });
});
