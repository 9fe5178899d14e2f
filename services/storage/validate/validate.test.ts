import { loadSettings } from '@greenroom/config';
import { describe, expect, it } from 'vitest';
import { storageSettings } from '../settings.ts';
import { readMimeRules, requireMimeType } from './mime-type.ts';
import { isPlaceholder, isValidKey, requireNewBucketName, requireNewKey } from './names.ts';
import { isRobotsTag, requireRobotsTag } from './robots-tag.ts';
import { maxBytesOf, readSizeLimit, requireSize } from './size-limit.ts';
import { readMetadataHeader, readUserMetadata } from './user-metadata.ts';

describe('keys', () => {
  it.each(["a/b-c_d!e.f*g'h(i) j&k$l@m=n;o:p+q,r?s", '/', '//', ' ', '..a', 'a//b', 'x'.repeat(1024)])(
    '%j is valid',
    (key) => expect(() => requireNewKey(key)).not.toThrow(),
  );
  it.each(['.', '..', './a', 'a/.', '../a', 'a/../b', 'a/..', '/../', 'a/./b'])(
    '%j can be read but not created',
    (key) => {
      expect(isValidKey(key)).toBe(true);
      expect(() => requireNewKey(key)).toThrow('Invalid key');
    },
  );
  it.each(['', '#', '~', '%', '[', '\\', '"', 'ä', '\u0000', 'a\nb', 'a\n', '\u202e', 'x'.repeat(1025)])(
    '%j is invalid',
    (key) => expect(isValidKey(key)).toBe(false),
  );
  it.each([
    ['.emptyFolderPlaceholder', true],
    ['a/.emptyFolderPlaceholder', true],
    ['a/.emptyFolderPlaceholder/b', false],
  ])('%s is a placeholder of a folder: %s', (key, expected) => expect(isPlaceholder(key)).toBe(expected));
});

describe('names of buckets', () => {
  it.each(['a', 'A b', 'x'.repeat(100), '...', 'table-s3'])('%j is valid', (name) =>
    expect(() => requireNewBucketName(name)).not.toThrow(),
  );
  it.each(['', '.', '..', 'a/b', ' a', 'a ', 'x'.repeat(101), 'a--table-s3', 'ä', 'a\n'])(
    '%j is invalid',
    (name) => expect(() => requireNewBucketName(name)).toThrow('Bucket name invalid'),
  );
});

describe('sizes', () => {
  const storage = loadSettings(storageSettings, { FILE_SIZE_LIMIT: '5GB' });

  it.each<[number | string, number]>([
    [0, 0],
    [1234, 1234],
    ['5GB', 5e9],
    ['1.5mb', 1.5e6],
    ['1.2345Kb', 1230],
    ['10b', 10],
    ['0.5B', 0],
  ])('of %j are %i bytes', (text, bytes) => expect(readSizeLimit(text, storage)).toBe(bytes));

  it.each([5e9 + 1, '5.01GB', '99999GB'])('%j exceeds the limit of the instance', (limit) => {
    expect(() => readSizeLimit(limit, storage)).toThrow('The object exceeded the maximum allowed size');
  });

  it.each([
    [{ key: 'a', bucketLimit: null, instanceLimit: 10 }, 10],
    [{ key: 'a', bucketLimit: 5, instanceLimit: 10 }, 5],
    [{ key: 'a', bucketLimit: 0, instanceLimit: 10 }, 0],
    [{ key: 'a', bucketLimit: 50, instanceLimit: 10 }, 10],
    [{ key: '.emptyFolderPlaceholder', bucketLimit: 5, instanceLimit: 10 }, 0],
  ])('of the limits %j allow %i bytes', (rules, bytes) => expect(maxBytesOf(rules)).toBe(bytes));

  it('are rejected by the declared size', () => {
    expect(() => requireSize(undefined, 0)).not.toThrow();
    expect(() => requireSize(10, 10)).not.toThrow();
    expect(() => requireSize(11, 10)).toThrow('exceeded');
  });
});

describe('media types', () => {
  it.each([
    ['image/png', ['image/png'], true],
    ['image/png', ['image/*'], true],
    ['image/png', ['text/plain', 'image/*'], true],
    ['image/png', ['image/jpeg'], false],
    ['text/plain;charset=UTF-8', ['text/plain'], false],
    ['text/plain;charset=UTF-8', ['text/plain;charset=UTF-8'], true],
    ['image', ['image/*'], false],
    ['image', [], true],
    ['x', null, true],
  ])('%s under %j: %s', (type, rules, fits) => {
    const check = () => requireMimeType(type, rules, 'key');
    if (fits) expect(check).not.toThrow();
    else expect(check).toThrow(`mime type ${type} is not supported`);
  });

  it('of placeholders are not checked', () => {
    expect(() => requireMimeType('a/b', ['image/*'], 'x/.emptyFolderPlaceholder')).not.toThrow();
  });

  it.each(['text', 'text/', '/plain', 'text/plain; charset=', 'a/b c', 'x'.repeat(1001)])(
    '%j is not a valid rule',
    (rule) => {
      expect(() => readMimeRules([rule])).toThrow('is not supported');
    },
  );
  it('drops empty rules', () => {
    expect(readMimeRules(['', 'a/b', 'text/*', 'text/plain; charset=utf-8'])).toEqual([
      'a/b',
      'text/*',
      'text/plain; charset=utf-8',
    ]);
  });
});

describe('metadata', () => {
  const header = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');

  it.each([
    [header({ a: { b: [1] } }), { a: { b: [1] } }],
    [header([]), undefined],
    [header(null), undefined],
    [header('x'), undefined],
    ['{"a":1}', undefined],
    [undefined, undefined],
  ])('of the header %j is %j', (text, expected) => expect(readMetadataHeader(text)).toEqual(expected));

  it('of a form has a limit', () => {
    expect(readUserMetadata('{"a":1}')).toEqual({ a: 1 });
    expect(readUserMetadata('{')).toBeUndefined();
    expect(readUserMetadata(undefined)).toBeUndefined();
    expect(() => readUserMetadata(`"${'x'.repeat(1024 * 1024)}"`)).toThrow(
      'The user_metadata exceeded the maximum allowed size',
    );
  });
});

describe('rules for robots', () => {
  it.each([
    'noindex',
    'noindex, nofollow',
    'max-snippet: -1',
    'max-snippet:0, max-image-preview: large, max-video-preview: 10',
    'unavailable_after: 25 Jun 2040 15:00:00 PST',
    'unavailable_after: Wed, 25 Jun 2040 15:00:00 GMT, noindex',
    'googlebot: noindex',
    'googlebot: max-snippet: 5',
  ])('%j are valid', (text) => {
    expect(() => requireRobotsTag(text)).not.toThrow();
    expect(isRobotsTag(text)).toBe(true);
  });

  it.each([
    '',
    ' ',
    'everything',
    'noindex,,nofollow',
    'max-snippet: -2',
    'max-snippet: x',
    'max-snippet:',
    'max-image-preview: huge',
    'unavailable_after: never',
    'googlebot:',
    'googlebot: everything',
    'constructor: x',
    'x:'.repeat(600),
  ])('%j are invalid', (text) => {
    expect(() => requireRobotsTag(text)).toThrow('Invalid X-Robots-Tag header: ');
    expect(isRobotsTag(text)).toBe(false);
  });
});
