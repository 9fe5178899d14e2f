import { describe, expect, it } from 'vitest';
import { createAddressRules } from './address-rules.ts';
import { parseAllowedHost } from './allowed-host.ts';

describe('parseAllowedHost', () => {
  it.each([
    ['api.internal', { kind: 'host', host: 'api.internal', port: undefined }],
    ['API.internal:8080', { kind: 'host', host: 'api.internal', port: 8080 }],
    ['10.0.0.5', { kind: 'host', host: '10.0.0.5', port: undefined }],
    ['[fd00::5]:80', { kind: 'host', host: 'fd00::5', port: 80 }],
    ['fd00::5', { kind: 'host', host: 'fd00::5', port: undefined }],
    ['127.0.0.1:3000', { kind: 'host', host: '127.0.0.1', port: 3000 }],
    ['host.docker.internal:3000', { kind: 'host', host: 'host.docker.internal', port: 3000 }],
    ['10.1.0.0/16', { kind: 'range', address: '10.1.0.0', bits: 16, family: 'ipv4' }],
    ['fd00::/8', { kind: 'range', address: 'fd00::', bits: 8, family: 'ipv6' }],
  ])('accepts %s', (text, expected) => {
    expect(parseAllowedHost(text)).toEqual(expected);
  });

  it.each([
    'localhost',
    'app.localhost',
    'host.docker.internal',
    '127.0.0.1',
    '::1',
    '[::1]',
    '127.0.0.0/8',
    '127.9.9.9/32',
    '64.0.0.0/2',
    '0.0.0.0/0',
    '::/0',
    '::/1',
    '10.0.0.0/33',
    'a.test:0',
    'a.test:65536',
    'http://a.test',
    'a.test/b',
    'a b',
    '',
  ])('rejects %j', (text) => {
    expect(parseAllowedHost(text)).toBeUndefined();
  });
});

describe('the rules', () => {
  const entries = ['api.internal', '10.0.0.5', '192.168.0.9:80', '10.1.0.0/16', 'fd00::/16'].map(
    parseAllowedHost,
  );
  const rules = createAddressRules(entries.filter((entry) => entry !== undefined));

  it.each([
    ['api.internal', 1, true],
    ['192.168.0.9', 80, true],
    ['192.168.0.9', 81, false],
    ['other.internal', 80, false],
  ])('allow the host %s with the port %i: %s', (host, port, expected) => {
    expect(rules.allowsHost(host, port)).toBe(expected);
  });

  it.each([
    ['1.1.1.1', true],
    ['10.0.0.5', true],
    ['10.1.2.3', true],
    ['fd00::1', true],
    ['10.0.0.6', false],
    ['192.168.0.9', false],
    ['169.254.169.254', false],
    ['::1', false],
  ])('allow the address %s: %s', (address, expected) => {
    expect(rules.allowsAddress(address)).toBe(expected);
  });
});
