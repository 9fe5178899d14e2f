import { validateHeaderValue } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeHeaders, safeValue } from './safe-headers.ts';

describe('safeHeaders', () => {
  it.each([
    'image/png',
    'IMAGE/JPEG',
    'image/webp; a=b',
    'audio/mpeg',
    'video/mp4; codecs="avc1.42E01E"',
    'font/woff2',
    'text/plain',
    'text/plain; charset=utf-8',
    'text/plain ;charset=utf-8;',
    'text/plain; charset=utf-8; header=present',
    'text/csv',
    'application/json',
    'application/pdf',
    'application/octet-stream',
  ])('%s is served without a sandbox', (mimeType) => {
    expect(safeHeaders(mimeType)).toEqual({
      'content-type': mimeType,
      'x-content-type-options': 'nosniff',
    });
  });

  it.each([
    'image/svg+xml',
    'image/SVG+xml',
    'image/svg',
    'application/xhtml+xml',
    'application/xml',
    'text/xml',
    'text/xsl',
    'application/rss+xml',
    'image/x+xml',
    'text/javascript',
    'application/x-shockwave-flash',
    'multipart/x-mixed-replace',
    'message/rfc822',
    'text/cache-manifest',
    'image/png, image/svg+xml',
    'image/png; a=b, image/svg+xml',
    'image/png;image/svg+xml',
    'image/png; a=image/svg+xml',
    'image',
    'x/y',
  ])('%s is served with a sandbox', (mimeType) => {
    expect(safeHeaders(mimeType)).toMatchObject({
      'content-type': mimeType,
      'content-security-policy': expect.stringMatching(/^default-src 'none';.*; sandbox$/),
    });
  });

  it.each(['text/html', 'TEXT/HTML; charset=utf-8', 'image/png, text/html', 'image/png; x="text/html"'])(
    '%s is served as text with a sandbox',
    (mimeType) => {
      expect(safeHeaders(mimeType)).toMatchObject({
        'content-type': 'text/plain',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining('sandbox'),
      });
    },
  );

  it.each([undefined, '', ' ', 'image/png\r\nset-cookie: a=b', 'bild/größe', '\u0000'])(
    '%j is served as an unknown type',
    (mimeType) => {
      expect(safeHeaders(mimeType)['content-type']).toBe('application/octet-stream');
    },
  );

  it('are valid headers for any stored value', () => {
    const part = fc.constantFrom(
      'image/png',
      'text/html',
      'image/svg+xml',
      ';',
      ',',
      ' ',
      '"',
      '\r\n',
      'a=b',
      'ü',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(part).map((parts) => parts.join('')),
        ),
        (mimeType) => {
          const headers = safeHeaders(mimeType);
          for (const [name, value] of Object.entries(headers)) validateHeaderValue(name, value);
          expect(headers['content-type']?.toLowerCase()).not.toContain('text/html');
          const isSvg = headers['content-type']?.includes('svg');
          if (isSvg) expect(headers['content-security-policy']).toContain('sandbox');
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('safeValue', () => {
  it.each([
    ['max-age=3600', 'max-age=3600'],
    ['', ''],
    ['a\tb', 'a\tb'],
    ['max-age=1\r\nset-cookie: a=b', undefined],
    ['a\u0000', undefined],
    ['größe', undefined],
    [undefined, undefined],
  ])('returns for %j: %j', (value, expected) => {
    expect(safeValue(value)).toBe(expected);
  });
});
