import { X509Certificate } from 'node:crypto';
import { expect, it } from 'vitest';
import { newRsaKey } from '../../testing/identity-provider.ts';
import { selfSignedCertificate } from './certificate.ts';

it.each([2048, 4096])('contains the public key of %d bits and is signed with it', (bits) => {
  const key = newRsaKey(bits);
  const certificate = new X509Certificate(selfSignedCertificate(key, 'auth.example.org'));
  expect(certificate.checkPrivateKey(key)).toBe(true);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.checkHost('auth.example.org')).toBe('auth.example.org');
  expect(certificate.checkHost('other.example.org')).toBeUndefined();
  expect(certificate.subject).toBe('CN=auth.example.org');
  expect([certificate.validFromDate.getUTCFullYear(), certificate.validToDate.getUTCFullYear()]).toEqual([
    1970, 2170,
  ]);
});

it('is deterministic', () => {
  const key = newRsaKey();
  expect(selfSignedCertificate(key, 'x.test')).toBe(selfSignedCertificate(key, 'x.test'));
});
