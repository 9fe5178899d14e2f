/** Kinds of settings. The source of all values is text. */
import { z } from 'zod';
import { type SettingDetails, type SettingOf, setting } from './setting.ts';

const TRUE = /^(?:true|t|1)$/i;
const FALSE = /^(?:false|f|0)$/i;

/** Declares a boolean: `true` or `false`, or another text that both Go's `strconv.ParseBool` and PostgreSQL accept. */
export function booleanSetting<const D extends string | undefined>(name: string, details: SettingDetails<D>) {
  const schema = z
    .string()
    .refine((text) => TRUE.test(text) || FALSE.test(text))
    .transform((text) => TRUE.test(text));
  return setting(name, schema, 'true, false', details);
}

/** Declares an integer from `min` to `max`. */
export function integerSetting<const D extends string | undefined>(
  name: string,
  min: number,
  max: number,
  details: SettingDetails<D>,
) {
  const schema = z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max));
  return setting(name, schema, `a whole number from ${min} to ${max}`, details);
}

/** Declares a non-empty text. */
export function textSetting<const D extends string | undefined>(
  name: string,
  allowed: string,
  details: SettingDetails<D>,
) {
  return setting(name, z.string().min(1), allowed, details);
}

/** Declares one of several fixed words. */
export function enumSetting<const W extends string, const D extends W | undefined>(
  name: string,
  words: readonly W[],
  details: SettingDetails<D>,
): SettingOf<W, D> {
  const schema = z.enum(words) as unknown as z.ZodType<W, string>;
  return setting(name, schema, words.join(', '), details as SettingDetails<D>);
}

/**
 * Declares a list of texts separated by commas, each validated by `item`. Surrounding blanks and empty items are
 * dropped.
 */
export function listSetting<const D extends string | undefined>(
  name: string,
  allowed: string,
  details: SettingDetails<D>,
  item: z.ZodType<string, string> = z.string(),
) {
  return setting(name, z.string().transform(splitList).pipe(z.array(item)), allowed, details);
}

/** Splits a text at commas. Drops blanks around the items, and empty items. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Declares the path of a folder on the site. The value has a slash at both ends, e.g. `/` or `/app/`. */
export function folderSetting<const D extends string | undefined>(name: string, details: SettingDetails<D>) {
  const schema = z
    .string()
    .regex(/^\/?(?:[\w.~-]+\/)*[\w.~-]*$/)
    .refine((text) => !text.split('/').some((segment) => segment === '.' || segment === '..'))
    .transform((text) => `/${text}/`.replace(/\/+/g, '/'));
  return setting(name, schema, 'a path such as / or /app/', details);
}

/** Declares an http or https URL. The value has no trailing slash. */
export function urlSetting<const D extends string | undefined>(name: string, details: SettingDetails<D>) {
  const schema = z
    .string()
    .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))
    .transform((text) => text.replace(/\/+$/, ''));
  return setting(name, schema, 'an http:// or https:// URL', details);
}

/** Declares an address to listen on. */
export function hostSetting<const D extends string | undefined>(name: string, details: SettingDetails<D>) {
  const schema = z.union([z.ipv4(), z.ipv6(), z.hostname()]);
  return setting(name, schema, 'an IP address or a host name', details);
}

/** Declares the name of a request header. */
export function headerSetting<const D extends string | undefined>(name: string, details: SettingDetails<D>) {
  return setting(name, z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/), 'the name of a request header', details);
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

const DURATION = /^(\d{1,9}(\.\d{1,3})?(ms|s|m|h))+$/;

/** Parses a positive duration in Go's notation and returns milliseconds; undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  return (DURATION.test(text) && durationMs(text)) || undefined;
}

/** Declares a positive duration in Go's notation, e.g. `10s`, `1h30m`, `500ms`; the value is in milliseconds. */
export function durationSetting<const D extends string | undefined>(
  name: string,
  details: SettingDetails<D>,
) {
  const schema = z.string().regex(DURATION).transform(durationMs).pipe(z.number().positive());
  return setting(name, schema, 'a positive duration such as 10s, 15m or 1h30m', details);
}

function durationMs(text: string): number {
  const parts = [...text.matchAll(/([\d.]+)(ms|s|m|h)/g)];
  return parts.reduce((sum, [, amount = '0', unit = 'ms']) => sum + Number(amount) * (UNIT_MS[unit] ?? 0), 0);
}

/** Declares a number of requests; fractions are allowed, as in GoTrue. */
export function rateSetting<const D extends string>(name: string, details: SettingDetails<D>) {
  const schema = z
    .string()
    .regex(/^\d{1,9}(\.\d{1,6})?$/)
    .transform(Number);
  return setting(name, schema, 'a number of requests, 0 or more', details);
}

/** Multiplies by a thousand, for {@link Setting.map}: seconds to milliseconds, kilobytes to bytes. */
export function thousands(value: number): number {
  return value * 1000;
}
