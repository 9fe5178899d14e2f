import { expect, it } from 'vitest';
import { withoutScripts } from './without-scripts.ts';

it.each([
  ['<p>a</p><script nonce="1">if (1 < 2) {\n}</script><p>b</p>', '<p>a</p><p>b</p>'],
  ['<script type="module" src="/a.js" async=""></script><b>b</b><script>2</script>', '<b>b</b>'],
  [
    '<link rel="modulepreload" href="/a.js" nonce="1"/><link rel="stylesheet" href="/a.css"/>',
    '<link rel="stylesheet" href="/a.css"/>',
  ],
  ['<link rel="preload" href="/a.woff2"/>', '<link rel="preload" href="/a.woff2"/>'],
])('reduces $0 to $1', (html, expected) => {
  expect(withoutScripts(html)).toBe(expected);
});
