import { expect, it } from 'vitest';
import { textOfHtml } from './text-of-html.ts';

it.each([
  ['<p>Your code is <b>123456</b></p>', 'Your code is 123456'],
  ['<p>one</p><p>two</p>three<br>four', 'one\ntwo\nthree\nfour'],
  ['<head><title>x</title></head><style>p { color: red }</style>shown<script>1 < 2</script>', 'shown'],
  ['a &lt; b &amp;&nbsp;c &#8364; &#x20AC; &unknown; &#0; &#xD800;', 'a < b & c € € &unknown; &#0; &#xD800;'],
  ['1 < 2 <!-- <p>no</p> --> yes', '1 < 2 yes'],
  ['<!doctype html><a href="x">link</a>', 'link'],
  ['before<p never ends', 'before'],
  ['before<style>never ends', 'before'],
  ['before<!-- never ends', 'before'],
  ['', ''],
])('returns the text of %j', (html, text) => {
  expect(textOfHtml(html)).toBe(text);
});

it.each(['<', '<p', '<style>', '<!--', '<style', '&', '&#', ' ', '\n', '</style'])(
  'reads millions of repetitions of %j',
  (part) => {
    expect(typeof textOfHtml(part.repeat(2_000_000))).toBe('string');
  },
);
