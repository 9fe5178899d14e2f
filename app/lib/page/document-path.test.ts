import { describe, expect, it } from 'vitest';
import { documentPath } from './document-path.ts';

describe('documentPath', () => {
  it.each([
    ['/', '/'],
    ['/nope', '/nope'],
    ['/nope?x', '/nope?x'],
    ['/nope?x=a+b&y=%20', '/nope?x=a+b&y=%20'],
    ['/nope?_routes=mine', '/nope?_routes=mine'],
    ['/nope/', '/nope/'],
    ['/n%C3%B6pe', '/n%C3%B6pe'],
    ['/nope.data', '/nope'],
    ['/nope.data?x', '/nope?x'],
    ['/nope.data?x&_routes=root%2Cadmin', '/nope?x'],
    ['/nope.data?_routes=root&x=1', '/nope?x=1'],
    ['/nope.data?_routes=', '/nope'],
    ['/nope.data?_routesx=1', '/nope?_routesx=1'],
    ['/_.data', '/'],
    ['/nope/_.data?x=1', '/nope/?x=1'],
    ['//evil.example/x', '//evil.example/x'],
  ])('returns for %s: %s', (path, expected) => {
    expect(documentPath(`http://app.example${path}`, '/')).toBe(expected);
  });

  it.each([
    ['/app/', '/'],
    ['/app', '/'],
    ['/app/_.data', '/'],
    ['/app.data', '/'],
    ['/app/nope?x', '/nope?x'],
    ['/app/nope.data?x&_routes=root', '/nope?x'],
  ])('returns for %s below /app/: %s', (path, expected) => {
    expect(documentPath(`http://app.example${path}`, '/app/')).toBe(expected);
  });
});
