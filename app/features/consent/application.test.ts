import { describe, expect, it } from 'vitest';
import { type Destination, destinationOf, plainName, readApplication, safeLogo } from './application.ts';

describe('plainName', () => {
  it.each<[unknown, string | undefined]>([
    ['Notes', 'Notes'],
    ['  Notes\n of\tAda ', 'Notes of Ada'],
    ['evil\u202Etxt', 'evil txt'],
    ['\u200B\u2066', undefined],
    ['', undefined],
    [7, undefined],
    [undefined, undefined],
    ['x'.repeat(60), 'x'.repeat(60)],
    ['😀'.repeat(61), `${'😀'.repeat(59)}…`],
  ])('returns the name of %j', (name, plain) => {
    expect(plainName(name)).toBe(plain);
  });
});

describe('safeLogo', () => {
  it.each<[unknown, string | undefined]>([
    ['https://app.example/logo.png', 'https://app.example/logo.png'],
    ['https://APP.example:8443/a b', 'https://app.example:8443/a%20b'],
    ['http://app.example/logo.png', undefined],
    ['https://ada:secret@app.example/logo.png', undefined],
    ['https://a;script-src/logo.png', undefined],
    ["https://a'b/logo.png", undefined],
    ['https://a,b/logo.png', undefined],
    ['https://[::1]/logo.png', undefined],
    ['data:image/png;base64,AAAA', undefined],
    ['javascript:alert(1)', undefined],
    ['/logo.png', undefined],
    [null, undefined],
  ])('returns the URL of %j', (address, logo) => {
    expect(safeLogo(address)).toBe(logo);
  });
});

describe('destinationOf', () => {
  it.each<[unknown, Destination]>([
    ['https://app.example/callback', { kind: 'site', name: 'app.example' }],
    ['https://app.example:8443/callback', { kind: 'site', name: 'app.example:8443' }],
    ['http://127.0.0.1:4000/callback', { kind: 'machine', name: '127.0.0.1:4000' }],
    ['http://localhost/callback', { kind: 'machine', name: 'localhost' }],
    ['http://[::1]:4000/callback', { kind: 'machine', name: '[::1]:4000' }],
    ['https://localhost.example/callback', { kind: 'site', name: 'localhost.example' }],
    ['com.example.app:/callback', { kind: 'app', name: 'com.example.app:' }],
    ['', { kind: 'app', name: '' }],
    [undefined, { kind: 'app', name: '' }],
    [
      `https://${'a'.repeat(60)}.${'b'.repeat(60)}.evil.example/`,
      { kind: 'site', name: `…${'a'.repeat(25)}.${'b'.repeat(60)}.evil.example` },
    ],
  ])('returns the destination of %j', (address, destination) => {
    expect(destinationOf(address)).toEqual(destination);
  });
});

describe('readApplication', () => {
  it.each([undefined, null, 'text', {}])('uses defaults for %j', (client) => {
    expect(readApplication(client, 'https://app.example/')).toEqual({
      name: undefined,
      logo: undefined,
      destination: { kind: 'site', name: 'app.example' },
    });
  });
});
