import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ethereumWallet,
  type MessageParts,
  signInMessage,
  solanaWallet,
  type Wallet,
} from '../../testing/wallets.ts';
import { chains } from './chains.ts';
import { parseSignInMessage } from './message.ts';

const ann = ethereumWallet();
const sol = solanaWallet();
const parse = (wallet: Wallet, text: string) => parseSignInMessage(text, chains[wallet.chain]);
const wallets: [string, Wallet][] = [
  ['Ethereum', ann],
  ['Solana', sol],
];

describe.each(wallets)('a message of %s', (_, wallet) => {
  it('is parsed with all of its fields', () => {
    const text = signInMessage(wallet, {
      issuedAt: '2026-01-02T03:04:05.678Z',
      expiresAt: '2026-01-02T05:04:05+01:00',
      notBefore: '2026-01-02T03:00:00Z',
      requestId: 'r 1: x',
      resources: ['https://a.example/x', 'ipfs://bafy'],
    });
    expect(parse(wallet, text)).toEqual({
      domain: 'localhost:3000',
      address: wallet.address,
      statement: 'Welcome',
      uri: new URL('http://localhost:3000/welcome'),
      chainId: wallet === ann ? '1' : 'mainnet',
      nonce: '32891756',
      issuedAt: new Date('2026-01-02T03:04:05.678Z'),
      expiresAt: new Date('2026-01-02T04:04:05Z'),
      notBefore: new Date('2026-01-02T03:00:00Z'),
      requestId: 'r 1: x',
      resources: ['https://a.example/x', 'ipfs://bafy'],
    });
  });

  it.each<[string, MessageParts | ((text: string) => string)]>([
    ['without a statement', { statement: null }],
    ['without a statement, with two empty lines', (text) => text.replace('\nWelcome', '')],
    ['without a nonce', { nonce: null }],
    ['that ends in an empty line', (text) => `${text}\n`],
    ['with a statement that looks like a field', { statement: 'URI: https://evil.test' }],
    ['with a scheme before the domain', { domain: 'http://localhost:3000' }],
    ['of a host with an IPv6 address', { domain: '[::1]:3000', uri: 'http://[::1]:3000' }],
  ])('is accepted %s', (_name, change) => {
    const text = typeof change === 'function' ? change(signInMessage(wallet)) : signInMessage(wallet, change);
    expect(parse(wallet, text).address).toBe(wallet.address);
  });

  it.each<[string, MessageParts | ((text: string) => string), string]>([
    ['that is too short', () => 'x'.repeat(63), 'too short'],
    ['that is too long', { statement: 'x'.repeat(20_480) }, 'exceed 20KB'],
    ['without the header', (text) => text.replace('wants you', 'wants'), 'the first line'],
    ['with an invalid domain', { domain: 'a_b' }, 'domain in the first line'],
    ['of a domain with credentials', { domain: 'a@localhost:3000' }, 'domain in the first line'],
    ['of a domain with a path', { domain: 'localhost/x' }, 'domain in the first line'],
    ['of another scheme', { domain: 'https://localhost:3000' }, 'the scheme'],
    ['without an address', { address: '' }, 'an address of'],
    ['of a truncated address', { address: wallet.address.slice(0, 30) }, 'an address of'],
    [
      'of an address of the other chain',
      { address: wallet === ann ? sol.address : ann.address },
      'an address',
    ],
    ['without the empty line', (text) => text.replace('\n\n', '\n'), 'the third line'],
    ['with Windows line endings', (text) => text.replaceAll('\n', '\r\n'), 'the first line'],
    ['with an unknown field', (text) => `${text}\nColour: green`, 'not a known field'],
    ['with an empty field', (text) => text.replace(/Nonce: .*/, 'Nonce: '), 'not a known field'],
    ['with a duplicate field', (text) => `${text}\nURI: https://evil.test`, 'URI must not occur twice'],
    [
      'with an empty line among the fields',
      (text) => text.replace('\nNonce', '\n\nNonce'),
      'not a known field',
    ],
    ['without a URI', { uri: null }, 'URI is missing'],
    ['with a relative URI', { uri: '/x' }, 'URI is not valid'],
    ['without a version', { version: null }, 'Version must be 1'],
    ['of another version', { version: '2' }, 'Version must be 1'],
    ['with an invalid network', { chainId: 'x-1' }, 'Chain ID'],
    ['without an issue time', { issuedAt: null }, 'Issued At is missing'],
    ['with a date that does not exist', { issuedAt: '2026-02-30T00:00:00Z' }, 'RFC 3339'],
    ['with a time in words', { issuedAt: 'Mon, 5 Jan 2026' }, 'RFC 3339'],
    ['with a time without a zone', { issuedAt: '2026-01-05T00:00:00' }, 'RFC 3339'],
    ['that expired before it was issued', { expiresAt: '2020-01-01T00:00:00Z' }, 'Issued At must'],
    [
      'that becomes valid after it has expired',
      { expiresAt: '2100-01-01T00:00:00Z', notBefore: '2101-01-01T00:00:00Z' },
      'Not Before must',
    ],
    ['with invalid resources', (text) => `${text}\nResources:\n- x`, 'a resource'],
    ['with fields after the resources', (text) => `${text}\nResources:\nRequest ID: 1`, 'a resource'],
  ])('is rejected %s', (_name, change, message) => {
    const text = typeof change === 'function' ? change(signInMessage(wallet)) : signInMessage(wallet, change);
    expect(() => parse(wallet, text)).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        status: 400,
        message: expect.stringContaining(message),
      }),
    );
  });

  it('is parsed as it was formatted, for arbitrary contents', () => {
    const line = fc.stringMatching(/^[ -~äß€😀]{1,60}$/u);
    const time = fc.date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true });
    const parts = fc.record({ statement: fc.option(line), nonce: line, requestId: line, issuedAt: time });
    fc.assert(
      fc.property(parts, ({ issuedAt, ...rest }) => {
        const read = parse(wallet, signInMessage(wallet, { ...rest, issuedAt: issuedAt.toISOString() }));
        expect(read).toMatchObject({ ...rest, statement: rest.statement ?? undefined, issuedAt });
      }),
    );
  });

  it('is parsed or rejected after arbitrary changes', () => {
    const text = signInMessage(wallet, { resources: ['https://a.example'] });
    const fragment = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\n', '\n\n', ': ', 'URI: ', '- ', ' account:'),
    );
    const change = fc.tuple(fc.nat(text.length), fc.nat(40), fragment);
    fc.assert(
      fc.property(change, ([at, length, inserted]) => {
        const changed = text.slice(0, at) + inserted + text.slice(at + length);
        try {
          expect(changed.toLowerCase()).toContain(parse(wallet, changed).address.toLowerCase());
        } catch (error) {
          if ((error as { code?: string }).code !== 'validation_failed') throw error;
        }
      }),
      { numRuns: 1000 },
    );
  });
});

it('requires a network only if the chain does', () => {
  expect(parse(sol, signInMessage(sol, { chainId: null })).chainId).toBeUndefined();
  expect(() => parse(ann, signInMessage(ann, { chainId: null }))).toThrow('Chain ID');
});
