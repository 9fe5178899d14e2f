/** Imported hashes. */
import { hash as argon2 } from '@node-rs/argon2';
import { hash as bcrypt } from '@node-rs/bcrypt';
import { describe, expect, it } from 'vitest';
import { authRequest } from '../../testing/request.ts';
import { createPasswordHasher, isKnownHash } from './hash.ts';

const hasher = createPasswordHasher();
const { needsRehash } = hasher;
const CLIENT = authRequest();
const hash = (password: string) => hasher.hash(password, CLIENT);
const matches = (password: string, stored: string | null) => hasher.matches(password, stored, CLIENT);

// Both are from GoTrue's tests, to ensure compatibility.
const ARGON2I = '$argon2i$v=19$m=16,t=2,p=1$bGJRWThNOHJJTVBSdHl2dQ$NfEnUOuUpb7F2fQkgFUG4g';
const FIREBASE_KEY =
  'ou9tdYTGyYm8kuR6Dt0Bp0kDuAYoXrK16mbZO4yGwAn3oLspjnN0/c41v8xZnO1n14J3MjKj1b2g6AUCAlFwMw==';
const FIREBASE_HASH =
  'zKVTMvnWVw5BBOZNUdnsalx4c4c7y/w7IS5p6Ut2+CfEFFlz37J9huyQfov4iizN8dbjvEJlM5tQaJP84+hfTw==';
const firebase = ({
  v = '1',
  n = '14',
  r = '8',
  p = '1',
  ss = ',ss=Bw==',
  sk = `,sk=${FIREBASE_KEY}`,
  salt = 'C0sHCg9ek77hsg==',
  hash = FIREBASE_HASH,
} = {}) => `$fbscrypt$v=${v},n=${n},r=${r},p=${p}${ss}${sk}$${salt}$${hash}`;
const argon = ({
  name = 'argon2id',
  v = '19',
  m = '32',
  t = '3',
  p = '2',
  extra = '',
  salt = 'SFVpOWJ0eXhjRzVkdGN1RQ',
  hash = 'RXnb8rh7LaDcn07xsssqqulZYXOM/EUCEFMVcAcyYVk',
} = {}) => `$${name}$v=${v}$m=${m},t=${t},p=${p}${extra}$${salt}$${hash}`;

describe('imported hashes', () => {
  it.each([
    ['argon2i', 'test', ARGON2I],
    ['argon2id', 'test', argon()],
    ['argon2id by its own library', 'test', argon2('test')],
    ['argon2 of a long password', 'x'.repeat(100), argon2('x'.repeat(100))],
    ['Firebase scrypt', 'mytestpassword', firebase()],
    ['bcrypt with few rounds', 'test', bcrypt('test', { cost: 4 })],
    ['bcrypt 2b', 'test', bcrypt('test', { cost: 4, version: '2b' })],
    ['bcrypt 2y', 'test', bcrypt('test', { cost: 4, version: '2y' })],
  ])('in the format %s match only their password', async (_, password, pending) => {
    const stored = await pending;
    expect(isKnownHash(stored)).toBe(true);
    expect(await matches(password, stored)).toBe(true);
    expect(await matches(`${password}1`, stored)).toBe(false);
    expect(await matches('', stored)).toBe(false);
  });

  it.each([
    ['nothing', ''],
    ['a password', 'secret'],
    ['argon2d', argon({ name: 'argon2d' })],
    ['another version of argon2', argon({ v: '16' })],
    ['a key', argon({ extra: ',keyid=abc' })],
    ['data', argon({ extra: ',data=abc' })],
    ['much memory', argon({ m: '262145' })],
    ['much memory many times', argon({ m: '262144', t: '5' })],
    ['memory beyond 32 bits', argon({ m: '4294967297' })],
    ['less memory than lanes need', argon({ m: '15' })],
    ['many passes', argon({ t: '21' })],
    ['no passes', argon({ t: '0' })],
    ['many lanes', argon({ m: '256', p: '17' })],
    ['no lanes', argon({ p: '0' })],
    ['no salt', argon({ salt: '' })],
    ['a short salt', argon({ salt: 'YWJj' })],
    ['a salt that is not base64', argon({ salt: '!!!!!!!!!!!!!!!!' })],
    ['a hash of argon2 that was cut', argon({ hash: 'RXnb8rh7LaDcn07xsssqqulZYXOM/EUCEFMVcAcyYVl' })],
    ['no hash of argon2', argon({ hash: '' })],
    ['a short hash of argon2', argon({ hash: 'YQ' })],
    ['another version of Firebase', firebase({ v: '2' })],
    ['N beyond 32 bits', firebase({ n: '4294967297' })],
    ['much work', firebase({ n: '18' })],
    ['work by block size', firebase({ r: '65' })],
    ['work by lanes', firebase({ p: '9' })],
    ['N of 1', firebase({ n: '0' })],
    ['N beyond what the block size allows', firebase({ n: '16', r: '1' })],
    ['no blocks', firebase({ r: '0' })],
    ['no lanes of scrypt', firebase({ p: '0' })],
    ['no signer key', firebase({ sk: '' })],
    ['an empty signer key and hash', firebase({ sk: ',sk=====', hash: '====' })],
    ['a signer key that is not base64', firebase({ sk: ',sk=!!!' })],
    ['a separator that is not base64', firebase({ ss: ',ss=!!!' })],
    ['a salt of scrypt that is not base64', firebase({ salt: '!!!' })],
    ['a hash that is not base64', firebase({ hash: '!!!' })],
    ['a hash of another length than the key', firebase({ hash: 'YWJj' })],
    ['bcrypt with many rounds', '$2a$16$XzY1fVlCw4kvZ8WUQcXbauB.QEfj6oLxYTTzVyPwRfuNjX9LKuI2.'],
    ['bcrypt cut short', '$2a$10$XzY1fVlCw4kvZ8WUQcXbau'],
    ['what does not fit the column', argon({ hash: 'A'.repeat(256) })],
  ])('are rejected and match nothing: %s', async (_, stored) => {
    expect(isKnownHash(stored)).toBe(false);
    if (!stored.startsWith('$2a$16')) expect(await matches('test', stored)).toBe(false);
  });
});

describe('needsRehash', () => {
  it.each([
    ['our own', hash('test'), false],
    ['bcrypt with more rounds', '$2b$12$XzY1fVlCw4kvZ8WUQcXbauB.QEfj6oLxYTTzVyPwRfuNjX9LKuI2.', false],
    ['bcrypt with fewer rounds', bcrypt('test', { cost: 4 }), true],
    ['argon2', argon(), true],
    ['Firebase scrypt', firebase(), true],
    ['none', null, false],
  ])('%s', async (_, stored, expected) => {
    expect(needsRehash('test', await stored)).toBe(expected);
  });

  it('is false if bcrypt cannot read the whole password', () => {
    expect(needsRehash('x'.repeat(73), argon())).toBe(false);
  });
});
