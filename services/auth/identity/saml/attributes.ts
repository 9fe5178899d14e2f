/**
 * Converts an assertion to a user's id, email address and claims, by the provider's attribute mapping and
 * GoTrue's rules.
 */

import { failure } from '../../errors.ts';
import { parseEmail } from '../../user/email-address.ts';
import type { IdentityData } from '../../user/identity.ts';
import type { Assertion, Attribute } from './assertion.ts';
import type { AttributeMapping, MappedAttribute } from './attribute-mapping.ts';
import { NAME_ID_FORMATS } from './name-id-format.ts';

/** SAML 2.0 Subject Identifier Attributes §3.3. */
const SUBJECT_ID = 'urn:oasis:names:tc:SAML:attribute:subject-id';

/** Attributes that may contain the email address if no mapping names one. */
const EMAIL_ATTRIBUTES = [
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'http://schemas.xmlsoap.org/claims/EmailAddress',
  'mail',
  'Mail',
  'email',
];

/** Standard claims of OpenID Connect and GoTrue. All other mapped claims go into `custom_claims`. */
const STANDARD_CLAIMS = new Set([
  'name',
  'family_name',
  'given_name',
  'middle_name',
  'nickname',
  'preferred_username',
  'profile',
  'picture',
  'website',
  'gender',
  'birthdate',
  'zoneinfo',
  'locale',
  'updated_at',
  'phone',
  'full_name',
  'avatar_url',
  'slug',
  'provider_id',
  'user_name',
]);

/** Maximum length of the user's id, which is part of an index. */
const MAX_SUBJECT_LENGTH = 1024;

/** A user at an identity provider. */
export interface Subject {
  /** The provider's permanent id of the user. */
  id: string;
  email: string;
  /** Stored in the identity and in `user_metadata`. */
  data: IdentityData;
}

/**
 * Reads the user from an assertion. Throws `saml_assertion_no_user_id`, `saml_assertion_no_email`,
 * `validation_failed`.
 */
export function subjectOf(assertion: Assertion, mapping: AttributeMapping, entityId: string): Subject {
  const id = subjectIdOf(assertion);
  if (id === '' || id.length > MAX_SUBJECT_LENGTH) throw failure('saml_assertion_no_user_id');
  const claims = mapAttributes(assertion.attributes, mapping);
  const mapped = claims.get('email');
  const rawEmail = typeof mapped === 'string' && mapped !== '' ? mapped : emailOf(assertion);
  if (rawEmail === '') throw failure('saml_assertion_no_email');
  const email = parseEmail(rawEmail);
  return {
    id,
    email,
    data: { ...identityData(claims), iss: entityId, sub: id, email, email_verified: true },
  };
}

/** Returns '' for a transient name id, since it changes with each sign-in. */
function subjectIdOf({ attributes, nameId }: Assertion): string {
  const [subjectId] = valuesOf(attributes, SUBJECT_ID);
  if (subjectId !== undefined) return subjectId;
  if (nameId === undefined || nameId.format === NAME_ID_FORMATS.transient) return '';
  return nameId.format === NAME_ID_FORMATS.email ? nameId.value.toLowerCase() : nameId.value;
}

function emailOf({ attributes, nameId }: Assertion): string {
  const [email] = EMAIL_ATTRIBUTES.flatMap((name) => valuesOf(attributes, name));
  return email ?? (nameId?.format === NAME_ID_FORMATS.email ? nameId.value : '');
}

/** Applies a mapping to attributes. Claims without a value are absent. */
export function mapAttributes(
  attributes: readonly Attribute[],
  { keys }: AttributeMapping,
): Map<string, unknown> {
  const mapped = Object.entries(keys ?? {}).map(
    ([key, rule]) => [key, mappedValue(attributes, rule)] as const,
  );
  return new Map(mapped.filter(([, value]) => value !== undefined));
}

function mappedValue(attributes: readonly Attribute[], rule: MappedAttribute): unknown {
  const names = [...(rule.name ? [rule.name] : []), ...(rule.names ?? [])];
  const values = names.flatMap((name) => valuesOf(attributes, name));
  if (values.length === 0) return rule.default ?? undefined;
  return rule.array ? values : values[0];
}

function valuesOf(attributes: readonly Attribute[], name: string): string[] {
  return attributes
    .filter((attribute) => attribute.name === name || attribute.friendlyName === name)
    .flatMap(({ values }) => values);
}

function identityData(claims: ReadonlyMap<string, unknown>): IdentityData {
  const standard = [...claims].filter(
    ([key, value]) => STANDARD_CLAIMS.has(key) && typeof value === 'string',
  );
  const known = new Set(['email', 'sub', 'iss', ...standard.map(([key]) => key)]);
  const custom = [...claims].filter(([key]) => !known.has(key));
  return {
    ...Object.fromEntries(standard),
    phone_verified: false,
    ...(custom.length > 0 && { custom_claims: Object.fromEntries(custom) }),
  };
}
