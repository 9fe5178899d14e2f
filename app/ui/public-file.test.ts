import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { publicFile } from './public-file.ts';

const PUBLIC = join(import.meta.dirname, '..', 'public');

describe('public files', () => {
  it.each([
    ['/', '/favicon.svg'],
    ['/room/', '/room/favicon.svg'],
  ])('are below %s', (baseURL, path) => {
    expect(publicFile({ baseURL }, 'favicon.svg')).toBe(path);
  });
});

describe('manifest.webmanifest', () => {
  const manifest = JSON.parse(readFileSync(join(PUBLIC, 'manifest.webmanifest'), 'utf8'));

  it('is relative and works below any base', () => {
    const addresses = [
      manifest.start_url,
      manifest.scope,
      ...manifest.icons.map(({ src }: { src: string }) => src),
    ];
    for (const address of addresses) expect(address).not.toMatch(/^(\/|\w+:)/);
  });

  it('lists existing icons of the sizes that phones require', () => {
    const icons: { src: string; sizes: string; purpose: string }[] = manifest.icons;
    for (const { src } of icons) expect(existsSync(join(PUBLIC, src))).toBe(true);
    const maskable = icons.filter(({ purpose }) => purpose === 'maskable').map(({ sizes }) => sizes);
    expect(maskable).toEqual(['192x192', '512x512']);
  });
});
