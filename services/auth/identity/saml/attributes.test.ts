import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Assertion, Attribute } from './assertion.ts';
import { mapAttributes, subjectOf } from './attributes.ts';
import { NAME_ID_FORMATS } from './name-id-format.ts';

const attribute = (name: string, ...values: string[]): Attribute => ({
  name,
  friendlyName: `friendly-${name}`,
  values,
});
const assertion = (attributes: Attribute[], nameId?: Assertion['nameId']): Assertion => ({
  id: '_1',
  nameId,
  attributes,
  sessionNotAfter: undefined,
  expiresAt: new Date(),
});
const persistent = { value: 'Ann', format: NAME_ID_FORMATS.persistent };

describe('mapAttributes', () => {
  const attributes = [attribute('mail', 'a@x.co', 'b@x.co'), attribute('role', 'admin'), attribute('empty')];

  it.each([
    ['by name', { name: 'mail' }, 'a@x.co'],
    ['by friendly name', { name: 'friendly-role' }, 'admin'],
    ['by the first of several names with a value', { names: ['nothing', 'empty', 'role', 'mail'] }, 'admin'],
    ['by name before names', { name: 'role', names: ['mail'] }, 'admin'],
    ['all values', { name: 'mail', array: true }, ['a@x.co', 'b@x.co']],
    ['all values of all names', { names: ['role', 'mail'], array: true }, ['admin', 'a@x.co', 'b@x.co']],
    ['the default', { name: 'nothing', default: { any: 1 } }, { any: 1 }],
    ['no default if there is a value', { name: 'role', default: 'x' }, 'admin'],
    ['a missing attribute to nothing', { name: 'nothing' }, undefined],
    ['an empty name to nothing', { name: '' }, undefined],
  ])('maps %s', (_, rule, value) => {
    expect(mapAttributes(attributes, { keys: { claim: rule } }).get('claim')).toEqual(value);
  });

  it('maps nothing without a mapping', () => {
    expect([...mapAttributes(attributes, {}), ...mapAttributes(attributes, { keys: null })]).toEqual([]);
  });
});

describe('subjectOf', () => {
  const subject = (attributes: Attribute[], nameId: Assertion['nameId'] = persistent, keys = {}) =>
    subjectOf(assertion(attributes, nameId), { keys }, 'https://idp.test');

  it.each([
    [
      'the subject-id attribute',
      [attribute('urn:oasis:names:tc:SAML:attribute:subject-id', 'x@y')],
      persistent,
      'x@y',
    ],
    ['the name id', [], persistent, 'Ann'],
    ['a name id without a format', [], { value: 'Ann', format: undefined }, 'Ann'],
    ['an address in lower case', [], { value: 'Ann@x.co', format: NAME_ID_FORMATS.email }, 'ann@x.co'],
  ])('uses as id %s', (_, attributes, nameId, id) => {
    expect(subject([...attributes, attribute('mail', 'a@x.co')], nameId).id).toBe(id);
  });

  it.each([
    ['mail'],
    ['Mail'],
    ['email'],
    ['urn:oid:0.9.2342.19200300.100.1.3'],
    ['http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress'],
    ['http://schemas.xmlsoap.org/claims/EmailAddress'],
    ['friendly-mail'],
  ])('finds the email address in %s', (name) => {
    const attributes = name === 'friendly-mail' ? [attribute('x', 'y')] : [attribute(name, 'Ann@X.co')];
    const nameId = { value: 'Ann@X.co', format: NAME_ID_FORMATS.email };
    expect(subject(attributes, nameId).email).toBe('ann@x.co');
  });

  it('prefers the address of the mapping', () => {
    const attributes = [attribute('mail', 'a@x.co'), attribute('work', 'b@x.co')];
    expect(subject(attributes, persistent, { email: { name: 'work' } }).email).toBe('b@x.co');
  });

  it('sorts claims into standard and custom ones and never overrides reserved ones', () => {
    const keys = {
      name: { name: 'cn' },
      given_name: { name: 'cn', array: true },
      groups: { name: 'groups', array: true },
      sub: { default: 'boss' },
      iss: { default: 'boss' },
      email_verified: { default: false },
      __proto__: { default: 'x' },
    };
    const attributes = [attribute('mail', 'a@x.co'), attribute('cn', 'Ann'), attribute('groups', 'a', 'b')];
    expect(subject(attributes, persistent, keys).data).toEqual({
      iss: 'https://idp.test',
      sub: 'Ann',
      email: 'a@x.co',
      email_verified: true,
      phone_verified: false,
      name: 'Ann',
      custom_claims: { given_name: ['Ann'], groups: ['a', 'b'], email_verified: false },
    });
  });

  it.each([
    ['a missing name id', undefined, 'saml_assertion_no_user_id'],
    ['a transient name id', { value: 'x', format: NAME_ID_FORMATS.transient }, 'saml_assertion_no_user_id'],
    [
      'a name id that is too long',
      { value: 'x'.repeat(2000), format: undefined },
      'saml_assertion_no_user_id',
    ],
    ['no address', persistent, 'saml_assertion_no_email'],
  ])('rejects %s', (_, nameId, code) => {
    expect(() => subjectOf(assertion([], nameId), {}, 'x')).toThrowError(expect.objectContaining({ code }));
  });

  it('accepts arbitrary attributes', () => {
    const anything = fc.record({
      name: fc.string(),
      friendlyName: fc.option(fc.string(), { nil: undefined }),
      values: fc.array(fc.string()),
    });
    fc.assert(
      fc.property(
        fc.array(anything),
        fc.dictionary(fc.string(), fc.record({ name: fc.string(), array: fc.boolean() })),
        (attributes, keys) => {
          const named = [attribute('urn:oid:0.9.2342.19200300.100.1.3', 'a@x.co')];
          expect(mapAttributes([...attributes, ...named], { keys }).size).toBeLessThanOrEqual(
            Object.keys(keys).length,
          );
        },
      ),
    );
  });
});
