import { afterEach, describe, expect, it, vi } from 'vitest';
import { markChunkError } from '../modules/chunk-errors.ts';
import { lacksResponse } from './keep-page.ts';

afterEach(() => vi.unstubAllGlobals());

describe('lacksResponse', () => {
  it.each([
    ['Chromium', 'Failed to fetch'],
    ['Firefox', 'NetworkError when attempting to fetch resource.'],
    ['Safari', 'Load failed'],
  ])('recognizes the error of %s', (_browser, message) => {
    expect(lacksResponse({ type: 'error', result: new TypeError(message) })).toBe(true);
  });

  it('recognizes the error of an action, which has a status', () => {
    const result = { type: 'DataWithResponseInit', data: new TypeError('Failed to fetch'), init: null };
    expect(lacksResponse({ type: 'error', result })).toBe(true);
  });

  it.each([
    ['data', { type: 'data', result: { message: 'Failed to fetch' } }],
    ['an error of the server', { type: 'error', result: new Error('Failed to fetch') }],
    ['a mistake in code', { type: 'error', result: new TypeError('x is undefined') }],
    ['nothing', { type: 'error', result: undefined }],
  ] as const)('ignores %s', (_case, result) => {
    expect(lacksResponse(result)).toBe(false);
  });

  it.each([
    [false, true],
    [true, false],
  ])('with the connection %s, code that could not be loaded lacks a response: %s', (onLine, expected) => {
    vi.stubGlobal('navigator', { onLine });
    const error = markChunkError(new TypeError('Failed to fetch dynamically imported module: /a.js'));
    expect(lacksResponse({ type: 'error', result: error })).toBe(expected);
  });
});
