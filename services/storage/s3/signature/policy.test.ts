import { CatalogueError } from '@greenroom/errors';
import { describe, expect, it } from 'vitest';
import { EXAMPLE_POLICY } from './examples.ts';
import { requirePolicy } from './policy.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const LATER = '2026-01-01T01:00:00Z';
const FIELDS = { bucket: 'photos', key: 'me/cat.png', 'x-amz-signature': 'x', policy: 'x' };

function encode(policy: unknown): string {
  return Buffer.from(JSON.stringify(policy)).toString('base64');
}

function check(conditions: unknown, fields: Record<string, string> = FIELDS, expiration: unknown = LATER) {
  return requirePolicy(encode({ expiration, conditions }), new Map(Object.entries(fields)), NOW);
}

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof CatalogueError) return error.code;
    throw error;
  }
  return 'none';
}

const BOTH = [{ bucket: 'photos' }, ['starts-with', '$key', 'me/']];

describe('a policy', () => {
  it.each<[string, unknown[], Record<string, string>, string]>([
    ['that names all fields', BOTH, FIELDS, 'none'],
    ['with names in other cases', [{ BUCKET: 'photos' }, ['eq', '$Key', 'me/cat.png']], FIELDS, 'none'],
    ['that permits any value', [{ bucket: 'photos' }, ['starts-with', '$key', '']], FIELDS, 'none'],
    ['of another bucket', [{ bucket: 'other' }, BOTH[1]], FIELDS, 'AccessDenied'],
    ['of another folder', [BOTH[0], ['starts-with', '$key', 'you/']], FIELDS, 'AccessDenied'],
    ['without the key', [BOTH[0]], FIELDS, 'AccessDenied'],
    ['without the bucket', [BOTH[1]], FIELDS, 'AccessDenied'],
    ['and a field that it does not name', BOTH, { ...FIELDS, 'x-amz-meta-a': '1' }, 'AccessDenied'],
    ['and a field to be ignored', BOTH, { ...FIELDS, 'x-ignore-a': '1' }, 'none'],
    ['that requires a missing field', [...BOTH, { acl: 'private' }], FIELDS, 'AccessDenied'],
    [
      'with two fields in one condition',
      [{ bucket: 'photos', key: 'me/cat.png' }],
      FIELDS,
      'InvalidSignature',
    ],
    ['with a field without $', [BOTH[0], ['eq', 'key', 'me/cat.png']], FIELDS, 'InvalidSignature'],
    ['with an unknown condition', [...BOTH, ['ends-with', '$key', 'png']], FIELDS, 'InvalidSignature'],
    ['with a condition of null', [...BOTH, null], FIELDS, 'InvalidSignature'],
    [
      'with sizes that are not numbers',
      [...BOTH, ['content-length-range', 'a', 2]],
      FIELDS,
      'InvalidSignature',
    ],
  ])('%s has the result: $3', (_name, conditions, fields, code) => {
    expect(codeOf(() => check(conditions, fields))).toBe(code);
  });

  it.each<[string, unknown, string]>([
    ['before its expiry', LATER, 'none'],
    ['after its expiry', '2025-12-31T23:59:59Z', 'ExpiredToken'],
    ['without an expiry', undefined, 'InvalidSignature'],
    ['with an invalid expiry', 'soon', 'InvalidSignature'],
  ])('%s has the result: $2', (_name, expiration, code) => {
    const policy = encode({ expiration, conditions: BOTH });
    const work = () => requirePolicy(policy, new Map(Object.entries(FIELDS)), NOW);
    expect(codeOf(work)).toBe(code);
  });

  it.each([
    ['invalid JSON', Buffer.from('{').toString('base64')],
    ['null', encode(null)],
    ['a list', encode([])],
    ['without conditions', encode({ expiration: LATER })],
    ['too long', 'a'.repeat(70_000)],
  ])('that is %s is rejected', (_name, policy) => {
    expect(codeOf(() => requirePolicy(policy, new Map(), NOW))).toBe('InvalidSignature');
  });

  it('returns the permitted sizes', () => {
    expect(check(BOTH)).toEqual({ min: 0, max: Number.POSITIVE_INFINITY });
    const sizes = [
      ['content-length-range', 1, 100],
      ['content-length-range', 0, '10'],
    ];
    expect(check([...BOTH, ...sizes])).toEqual({ min: 1, max: 10 });
  });

  it("of AWS's example is satisfied by its fields", () => {
    const fields = {
      bucket: 'sigv4examplebucket',
      key: 'user/user1/cat.png',
      acl: 'public-read',
      success_action_redirect: 'http://sigv4examplebucket.s3.amazonaws.com/successful_upload.html',
      'content-type': 'image/png',
      'x-amz-meta-uuid': '14365123651274',
      'x-amz-server-side-encryption': 'AES256',
      'x-amz-meta-tag': '',
      'x-amz-credential': 'AKIAIOSFODNN7EXAMPLE/20151229/us-east-1/s3/aws4_request',
      'x-amz-algorithm': 'AWS4-HMAC-SHA256',
      'x-amz-date': '20151229T000000Z',
    };
    const codeAt = (now: number) =>
      codeOf(() => requirePolicy(EXAMPLE_POLICY.encoded, new Map(Object.entries(fields)), now));
    expect(codeAt(EXAMPLE_POLICY.expiresAt)).toBe('none');
    expect(codeAt(EXAMPLE_POLICY.expiresAt + 1)).toBe('ExpiredToken');
  });
});
