import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { objectField, optionalTextField, parseBody, textField } from './request-body.ts';

const fields = z.object({ email: textField, password: optionalTextField, data: objectField });
const bytes = (text: string) => Buffer.from(text);

const members = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',');

describe('parseBody', () => {
  it.each([
    [
      'all fields',
      '{"email":"a","password":"p","data":{"x":[1]}}',
      { email: 'a', password: 'p', data: { x: [1] } },
    ],
    ['absent fields', '{}', { email: '', password: undefined, data: undefined }],
    [
      'null fields',
      '{"email":null,"password":null,"data":null}',
      { email: '', password: undefined, data: undefined },
    ],
    ['null', 'null', { email: '', password: undefined, data: undefined }],
    ['unknown fields', '{"email":"a","admin":true}', { email: 'a', password: undefined, data: undefined }],
    [
      'an object without a member that would be its prototype',
      '{"data":{"__proto__":{"a":1},"b":2}}',
      { email: '', password: undefined, data: { b: 2 } },
    ],
    ['an empty password', '{"password":""}', { email: '', password: '', data: undefined }],
    [
      'a whole surrogate pair',
      '{"email":"\\ud83d\\ude00"}',
      { email: '😀', password: undefined, data: undefined },
    ],
    [
      'a backslash before u0000',
      '{"email":"\\\\u0000"}',
      { email: '\\u0000', password: undefined, data: undefined },
    ],
  ])('parses %s', (_, text, expected) => {
    expect(parseBody(bytes(text), fields)).toEqual(expected);
  });

  it.each([
    ['no body', undefined, 'bad_json', 'unexpected end of JSON input'],
    ['an empty body', bytes(''), 'bad_json', 'unexpected end of JSON input'],
    ['a truncated body', bytes('{"email":'), 'bad_json', 'not valid JSON'],
    ['a form', bytes('email=a&password=p'), 'bad_json', 'not valid JSON'],
    ['a raw NUL', bytes('{"email":"a\0b"}'), 'bad_json', 'not valid JSON'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'bad_json', 'not valid JSON'],
    ['a number for a text', bytes('{"email":1}'), 'bad_json', 'email has the wrong type'],
    ['an array for an object', bytes('{"data":[]}'), 'bad_json', 'data has the wrong type'],
    ['an array for a body', bytes('[]'), 'bad_json', 'the body has the wrong type'],
    ['a text for a body', bytes('"x"'), 'bad_json', 'the body has the wrong type'],
    ['an escaped NUL', bytes('{"email":"a\\u0000"}'), 'validation_failed', 'NUL'],
    ['an escaped NUL deep inside', bytes('{"data":{"a":[{"b":"\\u0000"}]}}'), 'validation_failed', 'NUL'],
    ['an escaped NUL in a key', bytes('{"data":{"\\u0000":1}}'), 'validation_failed', 'NUL'],
    ['lone surrogates', bytes('{"data":{"a":"\\ud800"}}'), 'validation_failed', 'surrogate'],
    [
      'nesting that is too deep',
      bytes(`{"data":${'['.repeat(200)}${']'.repeat(200)}}`),
      'bad_json',
      'nested deeper',
    ],
    ['more than 5000 members', bytes(`{"data":{${members(5000)}}}`), 'bad_json', 'more than 5000 members'],
    ['more than 5000 elements', bytes(`[${'1,'.repeat(5000)}1]`), 'bad_json', 'more than 5000 members'],
    ['half a million brackets', bytes(`{"x":${'['.repeat(500_000)}${']'.repeat(500_000)}}`), 'bad_json', ''],
  ])('rejects %s', (_, body, code, message) => {
    expect(() => parseBody(body, fields)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
  });

  it('does not repeat the body in its error, because it may contain a password', () => {
    expect(() => parseBody(bytes('hunter2'), fields)).not.toThrow('hunter2');
  });
});
