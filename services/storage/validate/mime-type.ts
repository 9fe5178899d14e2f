/** Validates media types and a bucket's rules for them. */
import { failure } from '../errors.ts';
import { isPlaceholder } from './names.ts';

const RULE = /^[a-z0-9\-+.]+\/[a-z0-9\-+.]+(?:; *charset=[a-z0-9-]+)?$|\*$/i;
const MAX_RULE_LENGTH = 1000;

/** Validates the rules of a bucket and drops empty ones. Throws InvalidMimeType. */
export function readMimeRules(rules: readonly string[]): string[] {
  const nonEmpty = rules.filter((rule) => rule !== '');
  for (const rule of nonEmpty) {
    if (rule.length > MAX_RULE_LENGTH || !RULE.test(rule)) throw unsupported(rule);
  }
  return nonEmpty;
}

/**
 * Checks a type against the rules of a bucket. Parameters count: the rule `text/plain` does not match
 * `text/plain;charset=utf-8`. Throws InvalidMimeType.
 */
export function requireMimeType(type: string, rules: readonly string[] | null, key: string): void {
  if (rules === null || rules.length === 0 || isPlaceholder(key)) return;
  const [expected, subtype, ...rest] = type.split('/');
  const fits = rules.some((rule) => {
    const [allowed, allowedSubtype] = rule.split('/');
    return allowed === expected && (allowedSubtype === '*' || allowedSubtype === subtype);
  });
  if (subtype === undefined || rest.length > 0 || !fits) throw unsupported(type);
}

function unsupported(type: string) {
  return failure('InvalidMimeType', { message: `mime type ${type} is not supported` });
}
