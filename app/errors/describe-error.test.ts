import { describe, expect, it } from 'vitest';
import { describeError, errorDocumentTitle } from './describe-error.ts';
import { invalidRoute, pageNotFound } from './page-errors.ts';

const scene = { fullPath: '/nope?x=1', requestId: 'req-1', isProduction: true };

/** What the router makes of data that was thrown with a status. */
function thrown(status: number, data: unknown) {
  return { status, statusText: '', internal: false, data };
}

const notFound = pageNotFound('/nope?x=1');
const invalid = invalidRoute('/admin?page=zero');

describe('describeError', () => {
  it.each([
    ['an unmatched path', thrown(404, notFound.data), 404, 'Page Not Found', 'Page not found: /nope?x=1'],
    [
      'an invalid route',
      thrown(404, invalid.data),
      404,
      'Page Not Found',
      'Page Not Found: /admin?page=zero',
    ],
    [
      'a 404 of the router',
      thrown(404, 'Error: No route'),
      404,
      'Page Not Found',
      'Page not found: /nope?x=1',
    ],
    ['a refusal', thrown(413, { message: 'Too large.' }), 413, 'Internal Server Error', 'Too large.'],
    ['an empty message', thrown(503, { message: '' }), 503, 'Internal Server Error', ''],
    [
      'a 405 of the router',
      thrown(405, 'Error: You made a POST request to "/"'),
      405,
      'Internal Server Error',
      'This page does not take that kind of request.',
    ],
    [
      'a 400 of the router',
      thrown(400, ''),
      400,
      'Internal Server Error',
      'The request could not be understood.',
    ],
    [
      'data without a message',
      thrown(500, { secret: 1 }),
      500,
      'Internal Server Error',
      'Something went wrong on our side. Request id: req-1',
    ],
    [
      'a surprise',
      new Error('password=hunter2'),
      500,
      'Internal Server Error',
      'Something went wrong on our side. Request id: req-1',
    ],
    [
      'a thrown text',
      'hunter2',
      500,
      'Internal Server Error',
      'Something went wrong on our side. Request id: req-1',
    ],
  ])('%s', (_name, error, status, title, message) => {
    expect(describeError(error, scene)).toEqual({ status, title, message });
  });

  it('shows a surprise to developers', () => {
    const { message } = describeError(new Error('broken'), { ...scene, isProduction: false });
    expect(message).toBe('broken');
  });

  it('names no request where none was made', () => {
    const { message } = describeError(new Error('broken'), { ...scene, requestId: undefined });
    expect(message).toBe('Something went wrong on our side.');
  });
});

describe('errorDocumentTitle', () => {
  it('has status, title and product', () => {
    const description = { status: 404, title: 'Page Not Found', message: '' } as const;
    expect(errorDocumentTitle(description)).toBe('404 - Page Not Found | Greenroom');
  });
});

describe('errors of pages', () => {
  it.each([notFound, invalid])('carry status 404, the path, and are not fatal', (error) => {
    expect(error.init?.status).toBe(404);
    expect(error.data.fatal).toBe(false);
    expect(error.data.message).toContain(error.data.path);
  });
});
