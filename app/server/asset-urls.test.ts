import { describe, expect, it } from 'vitest';
import { assetsAddress, ownAssetsPath, rewriteAssetUrls } from './asset-urls.ts';

const assets = {
  version: 'abc',
  url: '/assets/manifest-abc.js',
  entry: { module: '/assets/entry-1.js', imports: ['/assets/framework-2.js'] },
  routes: {
    root: {
      id: 'root',
      path: '',
      hasLoader: true,
      module: '/assets/root-3.js',
      imports: ['/assets/framework-2.js'],
      css: ['/assets/root-4.css'],
    },
  },
} as unknown as Parameters<typeof rewriteAssetUrls>[0];

const root = { baseURL: '/', cdnURL: '', buildAssetsDir: '/assets/' };
const below = { baseURL: '/app/', cdnURL: '', buildAssetsDir: '/_files/' };
const onCdn = { ...below, cdnURL: 'https://cdn.example/v1' };

describe('URLs of built files', () => {
  it.each([
    [root, '/assets/', '/assets/'],
    [below, '/app/_files/', '/app/_files/'],
    [onCdn, '/app/_files/', 'https://cdn.example/v1/_files/'],
    [{ ...root, buildAssetsDir: '/' }, '/', '/'],
  ])('are for %j: own %s, for browsers %s', (location, own, address) => {
    expect([ownAssetsPath(location), assetsAddress(location)]).toEqual([own, address]);
  });
});

describe('rewriteAssetUrls', () => {
  it.each([[root], [below], [onCdn]])('moves every file: %j', (location) => {
    const { assets: rewritten } = rewriteAssetUrls(assets, location);
    const address = assetsAddress(location);
    expect(rewritten.entry).toEqual({
      module: `${address}entry-1.js`,
      imports: [`${address}framework-2.js`],
    });
    expect(rewritten.routes.root).toMatchObject({
      path: '',
      module: `${address}root-3.js`,
      css: [`${address}root-4.css`],
    });
  });

  it.each([[root], [below], [onCdn]])('writes a matching manifest for the site itself: %j', (location) => {
    const { assets: rewritten, manifest } = rewriteAssetUrls(assets, location);
    expect(manifest.path).toMatch(new RegExp(`^${ownAssetsPath(location)}manifest-[0-9a-f]{8}\\.js$`));
    expect(rewritten.url).toBe(manifest.path);
    const json = manifest.text.replace(/^window\.__reactRouterManifest=(.*);$/, '$1');
    expect(JSON.parse(json)).toEqual(rewritten);
  });

  it('gives manifests of different sites different names', () => {
    const names = [root, below, onCdn].map((location) =>
      rewriteAssetUrls(assets, location).manifest.path.slice(-11),
    );
    expect(new Set(names).size).toBe(3);
  });
});
