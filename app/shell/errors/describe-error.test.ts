import { describe, expect, it } from 'vitest';
import type { ErrorReason } from '../../session/error-message.ts';
import { backendUnreachable, invalidRoute, pageNotFound, refused } from '../../session/page-errors.ts';
import { describeError, errorDocumentTitle } from './describe-error.ts';

const context = { fullPath: '/nope?x=1', requestId: 'req-1', isProduction: true };

/** The router's format of data that was thrown with a status. */
function thrown(status: number, data: unknown) {
  return { status, statusText: '', internal: false, data };
}

const raised = ({ data, init }: ReturnType<typeof refused>) => thrown(init?.status ?? 0, data);

describe('describeError', () => {
  it.each<[string, unknown, number, ErrorReason]>([
    [
      'an unmatched path',
      thrown(404, pageNotFound('/nope?x=1').data),
      404,
      { code: 'pageNotFound', value: '/nope?x=1', message: 'Page not found: /nope?x=1' },
    ],
    [
      'an invalid route',
      thrown(404, invalidRoute('/admin?page=zero').data),
      404,
      { code: 'invalidRoute', value: '/admin?page=zero', message: 'Page Not Found: /admin?page=zero' },
    ],
    [
      'a rejected request',
      raised(refused({ status: 413, code: 'formTooLarge', value: '64' })),
      413,
      { code: 'formTooLarge', value: '64', message: 'The form is too large. The maximum is 64 KiB.' },
    ],
    [
      'an unreachable backend',
      raised(backendUnreachable()),
      503,
      {
        code: 'backendUnreachable',
        message:
          'The sign-in service can’t be reached right now. Nothing was lost. Please try again in a moment.',
      },
    ],
    [
      'a 404 of the router',
      thrown(404, 'Error: No route'),
      404,
      { code: 'pageNotFound', value: '/nope?x=1' },
    ],
    ['a message without a code', thrown(413, { message: 'Too large.' }), 413, { message: 'Too large.' }],
    ['an empty message', thrown(503, { message: '' }), 503, { message: '' }],
    ['an invalid code', thrown(500, { message: 'Odd.', code: 7, value: {} }), 500, { message: 'Odd.' }],
    [
      'a 405 of the router',
      thrown(405, 'Error: You made a POST request to "/"'),
      405,
      { code: 'unsupportedRequest' },
    ],
    ['a 400 of the router', thrown(400, ''), 400, { code: 'badRequest' }],
    ['data without a message', thrown(500, { secret: 1 }), 500, { code: 'unexpectedWithId', value: 'req-1' }],
    ['an unexpected error', new Error('password=hunter2'), 500, { code: 'unexpectedWithId', value: 'req-1' }],
    ['a thrown text', 'hunter2', 500, { code: 'unexpectedWithId', value: 'req-1' }],
  ])('describes %s', (_name, error, status, reason) => {
    const title = status === 404 ? 'Page Not Found' : 'Internal Server Error';
    expect(describeError(error, context)).toEqual({ status, title, reason });
  });

  it('shows the message of an unexpected error to developers', () => {
    const { reason } = describeError(new Error('broken'), { ...context, isProduction: false });
    expect(reason).toEqual({ message: 'broken' });
  });

  it('contains no request id for an error in the browser', () => {
    const { reason } = describeError(new Error('broken'), { ...context, requestId: undefined });
    expect(reason).toEqual({ code: 'unexpected' });
  });
});

describe('errorDocumentTitle', () => {
  it.each([
    [404, 'Page Not Found', 'en', '404 - Page Not Found | Greenroom'],
    [503, 'Internal Server Error', 'en', '503 - Internal Server Error | Greenroom'],
    [404, 'Page Not Found', 'de', '404 - Seite nicht gefunden | Greenroom'],
  ] as const)('returns for %d in %s: %s', (status, title, language, text) => {
    expect(errorDocumentTitle({ status, title, reason: {} }, { language, site: 'Greenroom' })).toBe(text);
  });
});

describe('errors of pages', () => {
  it.each([pageNotFound('/a?b'), invalidRoute('/a?b')])(
    'have status 404 and the path and are not fatal',
    (error) => {
      expect(error.init?.status).toBe(404);
      expect(error.data).toMatchObject({ path: '/a?b', fatal: false });
      expect(error.data.message).toContain('/a?b');
    },
  );
});
