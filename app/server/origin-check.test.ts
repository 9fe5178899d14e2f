import { describe, expect, it } from 'vitest';
import { type ActionSource, isOwnAction } from './origin-check.ts';

const none: ActionSource = { origin: undefined, secFetchSite: undefined, host: 'app.example' };

describe('isOwnAction', () => {
  it.each<[string, Partial<ActionSource>, string | undefined, boolean]>([
    ['a program without origin', {}, undefined, true],
    ['a browser without origin on the same site', { secFetchSite: 'same-origin' }, undefined, true],
    ['a browser without origin on another site', { secFetchSite: 'cross-site' }, undefined, false],
    ['a browser without origin on a subdomain', { secFetchSite: 'same-site' }, undefined, false],
    ['the own host', { origin: 'http://app.example' }, undefined, true],
    ['the own host behind a proxy with HTTPS', { origin: 'https://app.example' }, undefined, true],
    [
      'the own host with its port',
      { origin: 'http://127.0.0.1:54321', host: '127.0.0.1:54321' },
      undefined,
      true,
    ],
    [
      'the own host with the default port',
      { origin: 'https://app.example', host: 'app.example:443' },
      undefined,
      true,
    ],
    ['another port', { origin: 'http://127.0.0.1:1', host: '127.0.0.1:54321' }, undefined, false],
    ['another host', { origin: 'https://evil.example' }, undefined, false],
    ['a host with the same prefix', { origin: 'https://app.example.evil' }, undefined, false],
    ['an opaque origin', { origin: 'null' }, undefined, false],
    ['an empty origin', { origin: '' }, undefined, false],
    ['another scheme', { origin: 'ftp://app.example' }, undefined, false],
    ['the public site', { origin: 'https://site.example' }, 'https://site.example', true],
    ['the public site with a path', { origin: 'https://site.example' }, 'https://site.example/app/', true],
    ['the public site without https', { origin: 'http://site.example' }, 'https://site.example', false],
    ['the own host beside a public site', { origin: 'http://app.example' }, 'https://site.example', true],
    ['a missing host', { origin: 'http://app.example', host: undefined }, undefined, false],
    ['an invalid host', { origin: 'http://app.example', host: 'a b' }, undefined, false],
  ])('returns for %s: $3', (_name, source, publicUrl, isOwn) => {
    expect(isOwnAction({ ...none, ...source }, publicUrl)).toBe(isOwn);
  });
});
