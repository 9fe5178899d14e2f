/** Negotiates the type of a rendered image. */
import type { Transform } from './transform.ts';

/** Types that a client can request by name or by the header `Accept`. */
export type RequestedType = 'origin' | 'avif' | 'webp';

/** Matches `type/subtype` and the weight in one element of `Accept` (RFC 9110 §12.5.1). */
const MEDIA_RANGE = /^\s*image\/(avif|webp)\s*(?=;|$)(?:.*?;\s*q=([\d.]+))?/i;

/**
 * Returns the output type: the requested format, or else the one of AVIF and WebP that `Accept` prefers, or else
 * `origin`. WebP wins a tie, because encoding AVIF costs many times as much.
 */
export function negotiateType({ format }: Transform, accept: string | undefined): RequestedType {
  if (format !== undefined) return format;
  const weights = { avif: 0, webp: 0 };
  for (const part of (accept ?? '').split(',')) {
    const [, type, weight = '1'] = MEDIA_RANGE.exec(part) ?? [];
    if (type !== undefined) weights[type.toLowerCase() as keyof typeof weights] = Number(weight) || 0;
  }
  if (weights.webp > 0 && weights.webp >= weights.avif) return 'webp';
  return weights.avif > 0 ? 'avif' : 'origin';
}
