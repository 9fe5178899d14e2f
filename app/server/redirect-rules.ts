/** Rules that redirect paths of the app. */
import { z } from 'zod';
import { matchesPattern } from '../lib/patterns.ts';

interface RedirectRule {
  /** Pattern of paths; `*` is any run of characters. */
  from: string;
  /** A path of the app, or an http(s) URL. */
  to: string;
}

const IN_HEADERS = /^[\x21-\x7e]*$/;
const OTHERS = /[^\x21-\x7e]+/g;

/**
 * Parses `/old=/new,/docs*=https://docs.example.org`. Other characters than those of URLs are encoded as browsers do, because
 * requests and headers contain them in this form only.
 */
export const redirectRules = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((rule) => rule.trim())
      .filter(Boolean)
      .map(readRule),
  )
  .refine((rules) => rules.every(isRule))
  .transform((rules) => (rules as RedirectRule[]).map(encoded))
  .refine((rules) => !rules.some(leadsToItself));

function readRule(text: string): Partial<RedirectRule> {
  const [from, to] = text.split(/=(.*)/s).map((part) => part.trim());
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

function encoded({ from, to }: RedirectRule): RedirectRule {
  return { from: encodedPath(from), to: IN_HEADERS.test(to) ? to : encodedTarget(to) };
}

function encodedTarget(to: string): string {
  return to.startsWith('/') ? encodedPath(to) : new URL(to).href;
}

function encodedPath(path: string): string {
  return path.toWellFormed().replace(OTHERS, encodeURIComponent);
}

/** A visitor would be redirected for ever. */
function leadsToItself({ from, to }: RedirectRule): boolean {
  return to.startsWith('/') && matchesPattern(from, to.split(/[?#]/, 1)[0] ?? '');
}

function isRule({ from = '', to = '' }: Partial<RedirectRule>): boolean {
  const isUrl = /^https?:\/\//i.test(to) && URL.canParse(to);
  return /^\/[^\s]*$/.test(from) && (isUrl || /^\/(?![/\\])[^\s]*$/.test(to));
}
