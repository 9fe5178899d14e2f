import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { expect, it } from 'vitest';
import { selfSignedCertificate } from './self-signed-certificate.ts';

const newRsaKey = (modulusLength = 2048) => generateKeyPairSync('rsa', { modulusLength }).privateKey;

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

it('is valid for a P-256 key and for addresses', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificate = new X509Certificate(selfSignedCertificate(privateKey, 'localhost', ['127.0.0.1']));
  expect(certificate.checkPrivateKey(privateKey)).toBe(true);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.checkHost('localhost')).toBe('localhost');
  expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect(certificate.checkIP('127.0.0.2')).toBeUndefined();
});
