/**
 * Checks the policy of a form, which limits the permitted uploads and expires.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-HTTPPOSTConstructPolicy.html
 */
import { failure } from '../../errors.ts';

/** Range of sizes that a policy permits, in bytes. */
export interface SizeRange {
  min: number;
  max: number;
}

/** Fields that carry the signature itself; all others must be named by a condition. */
const OWN_FIELDS = new Set([
  'policy',
  'file',
  'x-amz-signature',
  'x-amz-algorithm',
  'x-amz-credential',
  'x-amz-date',
  'x-amz-security-token',
]);
const MAX_POLICY_LENGTH = 65_536;

interface Policy {
  expiration: number;
  conditions: unknown[];
}

/**
 * Checks the fields of a form against its policy. Returns the permitted sizes. Throws InvalidSignature for a malformed
 * policy, ExpiredToken, and AccessDenied if a field violates the policy.
 *
 * @param encoded the policy as signed: base64 of JSON
 * @param fields with names in lower case; `bucket` is that of the path
 * @param now milliseconds since the epoch
 */
export function requirePolicy(encoded: string, fields: ReadonlyMap<string, string>, now: number): SizeRange {
  const { expiration, conditions } = parsePolicy(encoded);
  if (now > expiration) throw failure('ExpiredToken');
  const covered = new Set<string>();
  const range = { min: 0, max: Number.POSITIVE_INFINITY };
  for (const condition of conditions) {
    const test = readCondition(condition);
    if (test.kind === 'size') {
      range.min = Math.max(range.min, test.min);
      range.max = Math.min(range.max, test.max);
      continue;
    }
    requireField(test, fields);
    covered.add(test.field);
  }
  const uncovered = [...fields.keys()].filter((name) => !covered.has(name) && !isExempt(name));
  if (uncovered.length > 0) throw refused(`the policy has no condition for ${uncovered.join(', ')}`);
  return range;
}

function isExempt(name: string): boolean {
  return OWN_FIELDS.has(name) || name.startsWith('x-ignore-');
}

function parsePolicy(encoded: string): Policy {
  const policy = parseJson(encoded);
  const { expiration, conditions } = (policy ?? {}) as { expiration?: unknown; conditions?: unknown };
  const time = typeof expiration === 'string' ? Date.parse(expiration) : Number.NaN;
  if (Number.isNaN(time)) throw invalid('it has no expiration');
  if (!Array.isArray(conditions)) throw invalid('it has no conditions');
  return { expiration: time, conditions };
}

function parseJson(encoded: string): unknown {
  if (encoded.length > MAX_POLICY_LENGTH) throw invalid('it is too long');
  try {
    return JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'));
  } catch {
    throw invalid('it is not JSON in base64');
  }
}

type FieldTest = { kind: 'eq' | 'starts-with'; field: string; value: string };
type SizeTest = { kind: 'size' } & SizeRange;

/** `{"field": "value"}`, `["eq", "$field", "value"]`, `["starts-with", …]` or `["content-length-range", min, max]`. */
function readCondition(condition: unknown): FieldTest | SizeTest {
  if (Array.isArray(condition)) return readTuple(condition);
  if (typeof condition !== 'object' || condition === null) throw invalid('a condition has an unknown form');
  const [entry, ...more] = Object.entries(condition);
  if (entry === undefined || more.length > 0) throw invalid('a condition must have one field');
  return { kind: 'eq', field: entry[0].toLowerCase(), value: String(entry[1]) };
}

function readTuple([kind, first, second]: unknown[]): FieldTest | SizeTest {
  if (kind === 'content-length-range') {
    const [min, max] = [Number(first), Number(second)];
    if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max))
      throw invalid('its sizes are not whole numbers');
    return { kind: 'size', min, max };
  }
  if ((kind !== 'eq' && kind !== 'starts-with') || typeof first !== 'string' || !first.startsWith('$')) {
    throw invalid('a condition has an unknown form');
  }
  return { kind, field: first.slice(1).toLowerCase(), value: String(second ?? '') };
}

function requireField({ kind, field, value }: FieldTest, fields: ReadonlyMap<string, string>): void {
  const sent = fields.get(field);
  const isMet = kind === 'eq' ? sent === value : sent?.startsWith(value);
  if (!isMet) throw refused(`the policy does not allow this value of ${field}`);
}

function invalid(reason: string): Error {
  return failure('InvalidSignature', { message: `Invalid policy: ${reason}` });
}

function refused(reason: string): Error {
  return failure('AccessDenied', { message: `Policy condition failed: ${reason}` });
}
