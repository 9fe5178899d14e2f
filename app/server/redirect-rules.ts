/** Rules that redirect paths of the app. */
import { z } from 'zod';

interface RedirectRule {
  /** Pattern of paths; `*` is any run of characters. */
  from: string;
  /** A path of the app, or an http(s) URL. */
  to: string;
}

/** Parses `/old=/new,/docs*=https://docs.example.org`. */
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
  .transform((rules) => rules as RedirectRule[]);

function readRule(text: string): Partial<RedirectRule> {
  const [from, to] = text.split(/=(.*)/s).map((part) => part.trim());
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

function isRule({ from = '', to = '' }: Partial<RedirectRule>): boolean {
  const isUrl = /^https?:\/\//i.test(to) && URL.canParse(to);
  return /^\/[^\s]*$/.test(from) && (isUrl || /^\/(?![/\\])[^\s]*$/.test(to));
}
