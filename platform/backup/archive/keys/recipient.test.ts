import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateIdentity, parseIdentity, parseRecipient, publicBytesOf, recipientOf } from './recipient.ts';

describe('an identity', () => {
  const { identity, recipient } = generateIdentity();

  it('has a recipient, and both are texts of one line', () => {
    expect(identity).toMatch(/^greenroom-identity-[\w-]{48}$/);
    expect(recipient).toMatch(/^greenroom-recipient-[\w-]{48}$/);
    expect(recipientOf(identity)).toBe(recipient);
    expect(recipientOf(`${identity}\n`)).toBe(recipient);
    expect(publicBytesOf(parseRecipient(recipient))).toHaveLength(32);
  });

  it('differs from every other', () => {
    expect(generateIdentity().identity).not.toBe(identity);
  });

  it.each([
    ['a recipient', 'a recipient', () => parseIdentity(recipient)],
    ['an identity', 'an identity, which is secret', () => parseRecipient(identity)],
    ['another text', 'something else', () => parseRecipient('age1abc')],
  ])('is not confused with %s', (_name, found, parse) => {
    expect(parse).toThrow(
      expect.objectContaining({ kind: 'refused', message: expect.stringContaining(`got ${found}`) }),
    );
  });

  it('is refused with any mistyped character, and the message does not contain the secret', () => {
    const replaced = fc.tuple(fc.nat(47), fc.constantFrom(...'ABCDwxyz0189-_'));
    fc.assert(
      fc.property(replaced, ([at, character]) => {
        const start = identity.length - 48;
        const mistyped = identity.slice(0, start + at) + character + identity.slice(start + at + 1);
        fc.pre(mistyped !== identity);
        expect(() => parseIdentity(mistyped)).toThrow(
          expect.objectContaining({
            kind: 'refused',
            message: 'the text after greenroom-identity- is incomplete or mistyped',
          }),
        );
      }),
    );
    expect(() => parseIdentity(identity.slice(0, -1))).toThrow('incomplete or mistyped');
    expect(() => parseIdentity(`${identity}A`)).toThrow('incomplete or mistyped');
  });
});
