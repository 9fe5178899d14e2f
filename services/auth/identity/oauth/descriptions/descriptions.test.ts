import { describe, expect, it } from 'vitest';
import type { OAuthDescription, OidcDescription } from '../description.ts';
import { PROVIDERS } from '../providers.ts';
import { apple } from './apple.ts';
import { azure } from './azure.ts';
import { SAMPLES } from './testing/samples.ts';
import { vercelMarketplace } from './vercel-marketplace.ts';

function namesOf(kind: 'oauth2' | 'oidc'): string[] {
  return PROVIDERS.filter(({ description }) => description.kind === kind).map(({ name }) => name);
}

function describedAs(name: string) {
  return PROVIDERS.find((provider) => provider.name === name)?.description;
}

it('has a sample for each provider of plain OAuth 2.0', () => {
  expect(Object.keys(SAMPLES).sort()).toEqual(namesOf('oauth2').sort());
});

describe.each(Object.entries(SAMPLES))('%s', (name, sample) => {
  const provider = describedAs(name) as OAuthDescription;

  it('reads the profile of a user', () => {
    const profile = provider.profile(sample.resources, { ...sample.token });
    const emails = profile?.emails.map(({ address, isVerified, isPrimary }) =>
      [address, isVerified && 'verified', isPrimary && 'primary'].filter(Boolean).join(' '),
    );
    const { name: personName, full_name, picture, avatar_url, sub, iss } = profile?.claims ?? {};
    expect({ subject: profile?.subject, emails, personName, picture }).toEqual({
      subject: sample.subject,
      emails: sample.emails,
      personName: sample.name,
      picture: sample.picture,
    });
    expect([full_name, avatar_url, sub]).toEqual([personName, picture, sample.subject]);
    expect(iss).toMatch(/^https:/);
  });

  it.each([[{}], [null], [[]], ['text'], [{ data: null, user: 1, id: {} }]])(
    'finds no profile in %j',
    (nonsense) => {
      const resources = Object.fromEntries(Object.keys(sample.resources).map((key) => [key, nonsense]));
      expect(provider.profile(resources, { profile: nonsense })).toBeUndefined();
    },
  );

  it('uses its default URL, or the configured one', () => {
    const urls = (base?: string) => {
      const { authorization, token } = provider.endpoints(base);
      return [authorization, token, ...Object.values(provider.resources(base))].map(String);
    };
    for (const url of urls()) expect(new URL(url).protocol).toBe('https:');
    for (const url of urls('http://localhost:1')) expect(url).toMatch(/^http:\/\/localhost:1\//);
  });
});

describe('providers of OpenID Connect', () => {
  const claims = {
    iss: 'https://issuer',
    sub: 'u',
    aud: 'x',
    nonce: 'n',
    exp: 1,
    email: 'a@x.co',
    email_verified: 'true',
    name: 'Ada',
  };

  /** Other providers use their own claim names, see below. */
  const standard = namesOf('oidc').filter((name) => !['azure', 'vercel_marketplace'].includes(name));

  it.each(standard)('%s reads standard claims', (name) => {
    const provider = describedAs(name) as OidcDescription;
    const { subject, emails, claims: claimsOfProfile } = provider.profile(claims, new URLSearchParams());
    expect([subject, emails]).toEqual(['u', [{ address: 'a@x.co', isVerified: true, isPrimary: true }]]);
    expect(claimsOfProfile).toMatchObject({ iss: 'https://issuer', full_name: 'Ada' });
    for (const name of ['aud', 'nonce', 'exp']) expect(claimsOfProfile).not.toHaveProperty(name);
  });

  it('azure verifies an address only if its domain is verified', () => {
    const verified = (more: object) =>
      azure.profile({ ...claims, ...more }, new URLSearchParams()).emails[0]?.isVerified;
    expect([verified({}), verified({ xms_edov: false }), verified({ xms_edov: '1' })]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it.each([
    ['https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0', true],
    ['https://sts.windows.net/9188040d-6c67-4c5b-b112-36a304b66dad/', true],
    ['https://login.microsoftonline.com.evil.test/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0', false],
    ['https://evil.test/v2.0', false],
  ])('azure accepts issuers of its tenants: %s', (issuer, accepted) => {
    expect(azure.acceptsIssuer?.(issuer, undefined)).toBe(accepted);
  });

  it.each([
    ['common', true, true],
    ['organizations', true, false],
    ['consumers', false, true],
    ['11111111-2222-3333-4444-555555555555', true, false],
    ['99999999-2222-3333-4444-555555555555', false, false],
  ])('azure rejects users of other tenants with URL %s', (of, ofCompany, ofConsumers) => {
    const takes = (tenant: string) =>
      ['https://login.microsoftonline.com/%/v2.0', 'https://sts.windows.net/%/'].map((issuer) =>
        azure.acceptsIssuer?.(issuer.replace('%', tenant), `https://login.microsoftonline.com/${of}`),
      );
    expect(takes('11111111-2222-3333-4444-555555555555')).toEqual([ofCompany, ofCompany]);
    expect(takes('9188040d-6c67-4c5b-b112-36a304b66dad')).toEqual([ofConsumers, ofConsumers]);
  });

  it('apple reads the name from the form of the first sign-in', () => {
    const form = new URLSearchParams({ user: '{"name":{"firstName":"Ada","lastName":"Lovelace"}}' });
    const { name, ...nameless } = claims;
    expect(apple.profile(nameless, form).claims.full_name).toBe('Ada Lovelace');
    expect(apple.profile(nameless, new URLSearchParams({ user: 'x' })).claims.name).toBeUndefined();
  });

  it('vercel_marketplace reads its own claim names', () => {
    const raw = { iss: 'https://marketplace.vercel.com', sub: 'u', user_email: 'a@x.co', user_name: 'Ada' };
    expect(vercelMarketplace.profile(raw, new URLSearchParams())).toMatchObject({
      emails: [{ address: 'a@x.co', isVerified: false }],
      claims: { name: 'Ada' },
    });
  });
});
