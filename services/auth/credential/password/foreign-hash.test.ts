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
    ['an empty text', ''],
    ['a plain password', 'secret'],
    ['argon2d', argon({ name: 'argon2d' })],
    ['another version of argon2', argon({ v: '16' })],
    ['argon2 with a key', argon({ extra: ',keyid=abc' })],
    ['argon2 with data', argon({ extra: ',data=abc' })],
    ['argon2 with too much memory', argon({ m: '262145' })],
    ['argon2 with too much memory and time', argon({ m: '262144', t: '5' })],
    ['argon2 with memory beyond 32 bits', argon({ m: '4294967297' })],
    ['argon2 with less memory than its lanes need', argon({ m: '15' })],
    ['argon2 with too many passes', argon({ t: '21' })],
    ['argon2 without passes', argon({ t: '0' })],
    ['argon2 with too many lanes', argon({ m: '256', p: '17' })],
    ['argon2 without lanes', argon({ p: '0' })],
    ['argon2 without a salt', argon({ salt: '' })],
    ['argon2 with a short salt', argon({ salt: 'YWJj' })],
    ['argon2 with a salt that is not base64', argon({ salt: '!!!!!!!!!!!!!!!!' })],
    ['argon2 with a truncated hash', argon({ hash: 'RXnb8rh7LaDcn07xsssqqulZYXOM/EUCEFMVcAcyYVl' })],
    ['argon2 without a hash', argon({ hash: '' })],
    ['argon2 with a short hash', argon({ hash: 'YQ' })],
    ['another version of Firebase', firebase({ v: '2' })],
    ['scrypt with N beyond 32 bits', firebase({ n: '4294967297' })],
    ['scrypt with too much work', firebase({ n: '18' })],
    ['scrypt with too much work by block size', firebase({ r: '65' })],
    ['scrypt with too much work by lanes', firebase({ p: '9' })],
    ['scrypt with N of 1', firebase({ n: '0' })],
    ['scrypt with N too large for the block size', firebase({ n: '16', r: '1' })],
    ['scrypt without blocks', firebase({ r: '0' })],
    ['scrypt without lanes', firebase({ p: '0' })],
    ['scrypt without a signer key', firebase({ sk: '' })],
    ['scrypt with an empty signer key and hash', firebase({ sk: ',sk=====', hash: '====' })],
    ['scrypt with a signer key that is not base64', firebase({ sk: ',sk=!!!' })],
    ['scrypt with a separator that is not base64', firebase({ ss: ',ss=!!!' })],
    ['scrypt with a salt that is not base64', firebase({ salt: '!!!' })],
    ['scrypt with a hash that is not base64', firebase({ hash: '!!!' })],
    ['scrypt with a hash of another length than the key', firebase({ hash: 'YWJj' })],
    ['bcrypt with too many rounds', '$2a$16$XzY1fVlCw4kvZ8WUQcXbauB.QEfj6oLxYTTzVyPwRfuNjX9LKuI2.'],
    ['a truncated bcrypt hash', '$2a$10$XzY1fVlCw4kvZ8WUQcXbau'],
    ['a hash that is too long for the column', argon({ hash: 'A'.repeat(256) })],
  ])('are rejected and match nothing: %s', async (_, stored) => {
    expect(isKnownHash(stored)).toBe(false);
    if (!stored.startsWith('$2a$16')) expect(await matches('test', stored)).toBe(false);
  });
});

describe('needsRehash', () => {
  it.each([
    ['the default hash', hash('test'), false],
    ['bcrypt with more rounds', '$2b$12$XzY1fVlCw4kvZ8WUQcXbauB.QEfj6oLxYTTzVyPwRfuNjX9LKuI2.', false],
    ['bcrypt with fewer rounds', bcrypt('test', { cost: 4 }), true],
    ['argon2', argon(), true],
    ['Firebase scrypt', firebase(), true],
    ['no hash', null, false],
  ])('returns for %s: $2', async (_, stored, expected) => {
    expect(needsRehash('test', await stored)).toBe(expected);
  });

  it('is false if bcrypt cannot read the whole password', () => {
    expect(needsRehash('x'.repeat(73), argon())).toBe(false);
  });
});
