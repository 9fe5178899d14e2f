import { describe, expect, it } from 'vitest';
import { MAIL_HEADERS, MAIL_SANDBOX, mailDocument } from './mail-document.ts';

describe('mailDocument', () => {
  it.each([
    [
      '<!doctype html><html><head lang="en"><title>x</title></head><p>y',
      '<!doctype html><html><head lang="en"><base target="_blank"><title>x</title></head><p>y',
    ],
    ['<header>y</header>', '<!doctype html><base target="_blank"><header>y</header>'],
    ['', '<!doctype html><base target="_blank">'],
  ])('converts "%s" to "%s"', (html, document) => {
    expect(mailDocument(html)).toBe(document);
  });
});

describe('the policy of a mail', () => {
  it('blocks scripts and sets an opaque origin', () => {
    const policy = MAIL_HEADERS['content-security-policy'];
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/script-src|allow-same-origin|allow-scripts|allow-forms|allow-top/);
    expect(MAIL_SANDBOX).not.toMatch(/scripts|same-origin|forms|top-navigation/);
  });
});
