import { expect, it } from 'vitest';
import { negotiateType } from './format.ts';

it.each([
  [undefined, undefined, 'origin'],
  [undefined, '*/*', 'origin'],
  [undefined, 'image/*', 'origin'],
  [undefined, 'image/png, image/jpeg', 'origin'],
  [undefined, 'image/webp', 'webp'],
  [undefined, 'IMAGE/WEBP ; q=0.5', 'webp'],
  [undefined, 'image/avif,image/webp,image/apng,*/*;q=0.8', 'webp'],
  [undefined, 'image/avif;q=0.9, image/webp;q=0.8', 'avif'],
  [undefined, 'image/avif', 'avif'],
  [undefined, 'image/webp;q=0', 'origin'],
  [undefined, 'image/webp;q=bad', 'webp'],
  [undefined, 'image/webpx', 'origin'],
  ['origin', 'image/webp', 'origin'],
  ['avif', 'image/webp', 'avif'],
  ['webp', undefined, 'webp'],
] as const)('the format %s and the Accept header %s select %s', (format, accept, expected) => {
  expect(negotiateType(format === undefined ? {} : { format }, accept)).toBe(expected);
});
