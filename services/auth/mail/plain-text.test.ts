import { expect, it } from 'vitest';
import { plainTextOf } from './plain-text.ts';

it.each([
  ['<p>a</p><p>b</p>', 'a\n\nb\n'],
  ['a<br>b<br/>c', 'a\nb\nc\n'],
  ['<h2>Hi</h2>\n\n  <p>a\n   b</p>', 'Hi\n\na b\n'],
  ['<ul><li>a</li><li>b</li></ul>', '- a\n- b\n'],
  ['<a href="https://x.example/?a=1&amp;b=2">Go</a>', 'Go ( https://x.example/?a=1&b=2 )\n'],
  ["<a class=x href='https://x.example'>Go</a>", 'Go ( https://x.example )\n'],
  ['<a href=https://x.example>https://x.example</a>', 'https://x.example\n'],
  ['<head><title>x</title><style>p {}</style></head><p>a</p>', 'a\n'],
  ['<style>a</style><script>b</script><!-- c -->d', 'd\n'],
  [
    '&lt;b&gt; &amp;amp; &#65;&#x42; &quot;&nbsp;&copy; &unknown; &#0; &#9999999;',
    '<b> &amp; AB " © &unknown; &#0; &#9999999;\n',
  ],
  ['<table><tr><td>a</td><td>b</td></tr></table>', 'a b\n'],
  ['', '\n'],
])('converts %j to %j', (html, text) => {
  expect(plainTextOf(html)).toBe(text);
});
