/** Which type a rendered image has. */
import type { Transform } from './transform.ts';

/** Types that can be asked for by name, or by header `Accept`. */
export type WantedType = 'origin' | 'avif' | 'webp';

/** `type/subtype` and its weight, of one part of `Accept` (RFC 9110 §12.5.1). */
const MEDIA_RANGE = /^\s*image\/(avif|webp)\s*(?=;|$)(?:.*?;\s*q=([\d.]+))?/i;

/**
 * What is made: the format asked for, or of AVIF and WebP the one that the client names and prefers; WebP where it does
 * not care, since making AVIF costs many times as much.
 */
export function wantedType({ format }: Transform, accept: string | undefined): WantedType {
  if (format !== undefined) return format;
  const weights = { avif: 0, webp: 0 };
  for (const part of (accept ?? '').split(',')) {
    const [, type, weight = '1'] = MEDIA_RANGE.exec(part) ?? [];
    if (type !== undefined) weights[type.toLowerCase() as keyof typeof weights] = Number(weight) || 0;
  }
  if (weights.webp > 0 && weights.webp >= weights.avif) return 'webp';
  return weights.avif > 0 ? 'avif' : 'origin';
}
