import { describe, expect, it } from 'vitest';
import { assetsAddress, ownAssetsPath, placeAssets } from './asset-urls.ts';

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
} as unknown as Parameters<typeof placeAssets>[0];

const root = { baseURL: '/', cdnURL: '', buildAssetsDir: '/assets/' };
const below = { baseURL: '/app/', cdnURL: '', buildAssetsDir: '/_files/' };
const onCdn = { ...below, cdnURL: 'https://cdn.example/v1' };

describe('URLs of built files', () => {
  it.each([
    [root, '/assets/', '/assets/'],
    [below, '/app/_files/', '/app/_files/'],
    [onCdn, '/app/_files/', 'https://cdn.example/v1/_files/'],
    [{ ...root, buildAssetsDir: '/' }, '/', '/'],
  ])('are for %j: own %s, for browsers %s', (place, own, address) => {
    expect([ownAssetsPath(place), assetsAddress(place)]).toEqual([own, address]);
  });
});

describe('placeAssets', () => {
  it.each([[root], [below], [onCdn]])('moves every file: %j', (place) => {
    const { assets: placed } = placeAssets(assets, place);
    const address = assetsAddress(place);
    expect(placed.entry).toEqual({
      module: `${address}entry-1.js`,
      imports: [`${address}framework-2.js`],
    });
    expect(placed.routes.root).toMatchObject({
      path: '',
      module: `${address}root-3.js`,
      css: [`${address}root-4.css`],
    });
  });

  it.each([[root], [below], [onCdn]])('writes a matching manifest for the site itself: %j', (place) => {
    const { assets: placed, manifest } = placeAssets(assets, place);
    expect(manifest.path).toMatch(new RegExp(`^${ownAssetsPath(place)}manifest-[0-9a-f]{8}\\.js$`));
    expect(placed.url).toBe(manifest.path);
    const said = manifest.text.replace(/^window\.__reactRouterManifest=(.*);$/, '$1');
    expect(JSON.parse(said)).toEqual(placed);
  });

  it('gives manifests of different sites different names', () => {
    const names = [root, below, onCdn].map((place) => placeAssets(assets, place).manifest.path.slice(-11));
    expect(new Set(names).size).toBe(3);
  });
});
