/** Ranges, conditions and headers of content over HTTP. */
import { failure } from '../errors.ts';
import type { ByteRange } from '../store/object-store.ts';

/** Throws InvalidRange. */
export function parseRange(header: string | undefined, size: number): ByteRange | undefined {
  if (header === undefined) return undefined;
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header) ?? [];
  if ((first === '' && last === '') || size === 0) throw failure('InvalidRange');
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (start > end || (first === '' && Number(last) === 0)) throw failure('InvalidRange');
  return { start, end };
}

export function dispositionOf(download: string | undefined): string | undefined {
  if (download === undefined) return undefined;
  if (download === '') return 'attachment;';
  const name = encodeURIComponent(download.toWellFormed());
  return `attachment; filename=${name}; filename*=UTF-8''${name}`;
}

export function safeHeaders(mimeType: string | undefined): Record<string, string> {
  const type = mimeType?.includes('text/html') ? 'text/plain' : (mimeType ?? 'application/octet-stream');
  return {
    'content-type': type,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  };
}
