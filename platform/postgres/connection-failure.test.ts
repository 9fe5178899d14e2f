import { expect, it } from 'vitest';
import { connectionFailure, isDatabaseUnavailable } from './connection-failure.ts';
import { PoolTimeoutError } from './pool.ts';

it.each([
  [Object.assign(new Error(), { code: 'ECONNREFUSED', syscall: 'connect' }), 'cannot connect'],
  [Object.assign(new Error(), { code: 'ENOTFOUND', syscall: 'getaddrinfo' }), 'cannot connect'],
  [
    new AggregateError([Object.assign(new Error(), { code: 'ECONNREFUSED', syscall: 'connect' })]),
    'cannot connect',
  ],
  [Object.assign(new Error(), { code: 'ECONNRESET', syscall: 'read' }), 'lost'],
  [new Error('Connection terminated unexpectedly'), 'lost'],
  [new PoolTimeoutError('timeout exceeded'), 'none free'],
  [new Error('anything else'), undefined],
  ['text', undefined],
])('connectionFailure returns for %o: %s', (error, kind) => {
  expect(connectionFailure(error)).toBe(kind);
});

it.each([
  ['57P01', true],
  ['57P02', true],
  ['57P03', true],
  ['57P05', true],
  ['08006', true],
  ['53300', true],
  ['57014', false],
  ['53100', false],
  ['P0001', false],
])('isDatabaseUnavailable returns for SQLSTATE %s: %s', (code, isUnavailable) => {
  const error = Object.assign(new Error('from PostgreSQL'), { code, severity: 'FATAL' });
  expect(isDatabaseUnavailable(error)).toBe(isUnavailable);
});
