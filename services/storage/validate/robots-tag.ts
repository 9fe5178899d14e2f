/**
 * Validates `X-Robots-Tag`, which an upload may set for responses with the object: rules separated by commas, each
 * optionally for one crawler (`name: rule`).
 * https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
 */
import { failure } from '../errors.ts';

const SIMPLE = new Set([
  'all',
  'noindex',
  'nofollow',
  'none',
  'nosnippet',
  'indexifembedded',
  'notranslate',
  'noimageindex',
]);
/** An integer from -1; -1 means no limit. */
const LENGTH = /^-?\d+$/;
const PREVIEWS = new Set(['none', 'standard', 'large']);
const RULES_WITH_VALUE: Readonly<Record<string, (value: string) => boolean>> = {
  'max-snippet': isLength,
  'max-video-preview': isLength,
  'max-image-preview': (value) => PREVIEWS.has(value),
  unavailable_after: (value) => !Number.isNaN(Date.parse(value)),
};
/** Matches a rule with a date, which may contain a comma: it ends before the next rule or at the end of the text. */
const DATE_RULE = /^unavailable_after:\s*(.+?)(?=\s*,\s*(?:[a-z_]+(?:-[a-z]+)*)\s*(?:[:,]|$)|$)/;
const MAX_LENGTH = 1000;

/** Validates the rules of a header. Throws InvalidXRobotsTag. */
export function requireRobotsTag(text: string): void {
  const problem = text.length > MAX_LENGTH ? 'it is too long' : problemOf(text);
  if (problem !== undefined) {
    throw failure('InvalidXRobotsTag', { message: `Invalid X-Robots-Tag header: ${problem}` });
  }
}

/** Whether a stored value is valid and can be sent. */
export function isRobotsTag(text: string): boolean {
  return text.length <= MAX_LENGTH && problemOf(text) === undefined;
}

function problemOf(text: string): string | undefined {
  const rules = split(text);
  if (rules.length === 0) return 'X-Robots-Tag header value must be a non-empty string';
  for (const rule of rules) {
    const problem = problemOfRule(rule);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOfRule(rule: string): string | undefined {
  if (rule === '') return 'X-Robots-Tag header contains empty rule';
  if (SIMPLE.has(rule)) return undefined;
  const colon = rule.indexOf(':');
  if (colon === -1) return `Invalid X-Robots-Tag rule: "${rule}"`;
  const name = rule.slice(0, colon).trim();
  const value = rule.slice(colon + 1).trim();
  if (value === '') return `X-Robots-Tag "${name}" has no value`;
  const isValid = Object.hasOwn(RULES_WITH_VALUE, name) ? RULES_WITH_VALUE[name] : undefined;
  if (isValid !== undefined) {
    return isValid(value) ? undefined : `X-Robots-Tag "${name}" cannot be "${value}"`;
  }
  // The name is that of a crawler, and the value is a rule for it.
  return value.length < rule.length ? problemOfRule(value) : `Invalid X-Robots-Tag rule: "${rule}"`;
}

function split(text: string): string[] {
  const rules: string[] = [];
  for (let rest = text.trim(); rest !== ''; ) {
    const date = DATE_RULE.exec(rest)?.[0];
    const comma = rest.indexOf(',');
    const end = date?.length ?? (comma === -1 ? rest.length : comma);
    rules.push(rest.slice(0, end).trim());
    rest = rest.slice(end).replace(/^\s*,/, '').trim();
  }
  return rules;
}

function isLength(value: string): boolean {
  return LENGTH.test(value) && Number(value) >= -1;
}
