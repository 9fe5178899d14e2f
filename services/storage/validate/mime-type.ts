/** Media types: what a bucket takes. */
import { failure } from '../errors.ts';
import { isPlaceholder } from './names.ts';

const RULE = /^[a-z0-9\-+.]+\/[a-z0-9\-+.]+(?:; *charset=[a-z0-9-]+)?$|\*$/i;
const MAX_RULE_LENGTH = 1000;

/** The rules of a bucket; empty ones are dropped. Throws InvalidMimeType. */
export function readMimeRules(rules: readonly string[]): string[] {
  const given = rules.filter((rule) => rule !== '');
  for (const rule of given) {
    if (rule.length > MAX_RULE_LENGTH || !RULE.test(rule)) throw unsupported(rule);
  }
  return given;
}

/**
 * Whether a bucket takes a type. Parameters count: `text/plain` does not let `text/plain;charset=utf-8` in. Throws
 * InvalidMimeType.
 */
export function requireMimeType(type: string, rules: readonly string[] | null, key: string): void {
  if (rules === null || rules.length === 0 || isPlaceholder(key)) return;
  const [wanted, subtype, ...rest] = type.split('/');
  const fits = rules.some((rule) => {
    const [allowed, allowedSubtype] = rule.split('/');
    return allowed === wanted && (allowedSubtype === '*' || allowedSubtype === subtype);
  });
  if (subtype === undefined || rest.length > 0 || !fits) throw unsupported(type);
}

function unsupported(type: string) {
  return failure('InvalidMimeType', { message: `mime type ${type} is not supported` });
}
