import { describe, expect, it } from 'vitest';
import type { OAuthDescription, OidcDescription, Resources } from '../description.ts';
import { PROVIDERS } from '../providers.ts';
import { apple } from './apple.ts';
import { azure } from './azure.ts';
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

/** Answers as the providers' documents show them, and what is read from them. */
const SAMPLES: Record<
  string,
  { resources: Resources; token?: object; subject: string; emails: string[]; name?: string; picture?: string }
> = {
  bitbucket: {
    resources: {
      user: { uuid: '{u}', display_name: 'Ada', username: 'ada', links: { avatar: { href: 'https://x/a' } } },
      emails: {
        values: [
          { email: 'b@x.co', is_primary: false, is_confirmed: false },
          { email: 'a@x.co', is_primary: true, is_confirmed: true },
        ],
      },
    },
    subject: '{u}',
    emails: ['b@x.co', 'a@x.co verified primary'],
    name: 'Ada',
    picture: 'https://x/a',
  },
  discord: {
    resources: {
      user: {
        id: '80351110224678912',
        username: 'ada',
        discriminator: '0',
        avatar: 'a_1',
        email: 'a@x.co',
        verified: true,
      },
    },
    subject: '80351110224678912',
    emails: ['a@x.co verified primary'],
    name: 'ada#0',
    picture: 'https://cdn.discordapp.com/avatars/80351110224678912/a_1.gif',
  },
  facebook: {
    resources: { user: { id: '1', email: 'a@x.co', name: 'Ada', picture: { data: { url: 'https://x/a' } } } },
    subject: '1',
    emails: ['a@x.co verified primary'],
    name: 'Ada',
    picture: 'https://x/a',
  },
  figma: {
    resources: { user: { id: '1', email: 'a@x.co', handle: 'Ada', img_url: 'https://x/a' } },
    subject: '1',
    emails: ['a@x.co verified primary'],
    name: 'Ada',
    picture: 'https://x/a',
  },
  fly: {
    resources: {
      user: { user_id: 'u', user_name: 'Ada', email: 'a@x.co', organizations: [{ id: 'o', role: 'admin' }] },
    },
    subject: 'u',
    emails: ['a@x.co verified primary'],
    name: 'Ada',
  },
  github: {
    resources: {
      user: { id: 583231, login: 'ada', name: 'Ada', avatar_url: 'https://x/a', email: null },
      emails: [
        { email: 'a@x.co', primary: true, verified: true },
        { email: 'b@x.co', primary: false, verified: false },
      ],
    },
    subject: '583231',
    emails: ['a@x.co verified primary', 'b@x.co'],
    name: 'Ada',
    picture: 'https://x/a',
  },
  gitlab: {
    resources: {
      user: {
        id: 1,
        name: 'Ada',
        username: 'ada',
        avatar_url: 'https://x/a',
        email: 'a@x.co',
        confirmed_at: '2020-01-01',
      },
      emails: [
        { id: 1, email: 'a@x.co', confirmed_at: null },
        { id: 2, email: 'b@x.co', confirmed_at: null },
      ],
    },
    subject: '1',
    emails: ['a@x.co verified primary', 'b@x.co'],
    name: 'Ada',
    picture: 'https://x/a',
  },
  kakao: {
    resources: {
      user: {
        id: 1,
        kakao_account: {
          email: 'a@x.co',
          is_email_valid: true,
          is_email_verified: true,
          profile: { nickname: 'Ada', profile_image_url: 'https://x/a' },
        },
      },
    },
    subject: '1',
    emails: ['a@x.co verified primary'],
    name: 'Ada',
    picture: 'https://x/a',
  },
  linkedin: {
    resources: {
      user: {
        id: 'u',
        firstName: { localized: { en_US: 'Ada' }, preferredLocale: { country: 'US', language: 'en' } },
        lastName: { localized: { en_US: 'Lovelace' } },
        profilePicture: { 'displayImage~': { elements: [{ identifiers: [{ identifier: 'https://x/a' }] }] } },
      },
      emails: { elements: [{ 'handle~': { emailAddress: 'a@x.co' } }] },
    },
    subject: 'u',
    emails: ['a@x.co verified primary'],
    name: 'Ada Lovelace',
    picture: 'https://x/a',
  },
  notion: {
    resources: {
      user: {
        bot: {
          owner: { user: { id: 'u', name: 'Ada', avatar_url: 'https://x/a', person: { email: 'a@x.co' } } },
        },
      },
    },
    subject: 'u',
    emails: ['a@x.co verified primary'],
    name: 'Ada',
    picture: 'https://x/a',
  },
  slack: {
    resources: {
      identity: {
        ok: true,
        user: { id: 'U', name: 'Ada', email: 'a@x.co', image_512: 'https://x/a' },
        team: { id: 'T' },
      },
    },
    subject: 'U',
    emails: ['a@x.co verified primary'],
    name: 'Ada',
    picture: 'https://x/a',
  },
  snapchat: {
    resources: {
      answer: { data: { me: { externalId: 'u', displayName: 'Ada', bitmoji: { avatar: 'https://x/a' } } } },
    },
    subject: 'u',
    emails: [],
    name: 'Ada',
    picture: 'https://x/a',
  },
  spotify: {
    resources: {
      user: {
        id: 'u',
        email: 'a@x.co',
        display_name: 'Ada',
        images: [{ url: 'https://x/small' }, { url: 'https://x/a' }],
      },
    },
    subject: 'u',
    emails: ['a@x.co primary'],
    name: 'Ada',
    picture: 'https://x/a',
  },
  twitch: {
    resources: {
      users: {
        data: [
          { id: '1', login: 'ada', display_name: 'Ada', email: 'a@x.co', profile_image_url: 'https://x/a' },
        ],
      },
    },
    subject: '1',
    emails: ['a@x.co verified primary'],
    name: 'ada',
    picture: 'https://x/a',
  },
  twitter: x(),
  x: x(),
  workos: {
    resources: {},
    token: {
      profile: { id: 'prof', email: 'a@x.co', first_name: 'Ada', last_name: 'Lovelace', connection_id: 'c' },
    },
    subject: 'prof',
    emails: ['a@x.co verified primary'],
    name: 'Ada Lovelace',
  },
  zoom: {
    resources: {
      user: {
        id: 'u',
        first_name: 'Ada',
        last_name: 'Lovelace',
        email: 'a@x.co',
        verified: 1,
        pic_url: 'https://x/a',
      },
    },
    subject: 'u',
    emails: ['a@x.co verified primary'],
    name: 'Ada Lovelace',
    picture: 'https://x/a',
  },
};

function x() {
  return {
    resources: {
      answer: {
        data: {
          id: '1',
          name: 'Ada',
          username: 'ada',
          confirmed_email: 'a@x.co',
          profile_image_url: 'https://x/a',
        },
      },
    },
    subject: '1',
    emails: ['a@x.co verified primary'],
    name: 'Ada',
    picture: 'https://x/a',
  };
}

describe.each(Object.entries(SAMPLES))('%s', (name, sample) => {
  const provider = describedAs(name) as OAuthDescription;

  it('tells who somebody is', () => {
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
    'tells nobody in %j',
    (nonsense) => {
      const resources = Object.fromEntries(Object.keys(sample.resources).map((key) => [key, nonsense]));
      expect(provider.profile(resources, { profile: nonsense })).toBeUndefined();
    },
  );

  it('asks at its usual address, and at another one where that is set', () => {
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

  /** The others have claims under their own names, see below. */
  const standard = namesOf('oidc').filter((name) => !['azure', 'vercel_marketplace'].includes(name));

  it.each(standard)('%s has standard claims', (name) => {
    const provider = describedAs(name) as OidcDescription;
    const { subject, emails, claims: kept } = provider.profile(claims, new URLSearchParams());
    expect([subject, emails]).toEqual(['u', [{ address: 'a@x.co', isVerified: true, isPrimary: true }]]);
    expect(kept).toMatchObject({ iss: 'https://issuer', full_name: 'Ada' });
    for (const name of ['aud', 'nonce', 'exp']) expect(kept).not.toHaveProperty(name);
  });

  it('azure vouches for an address only if somebody looks after its domain', () => {
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
  ])('azure has an issuer for each tenant: %s', (issuer, accepted) => {
    expect(azure.acceptsIssuer?.(issuer, undefined)).toBe(accepted);
  });

  it.each([
    ['common', true, true],
    ['organizations', true, false],
    ['consumers', false, true],
    ['11111111-2222-3333-4444-555555555555', true, false],
    ['99999999-2222-3333-4444-555555555555', false, false],
  ])('azure takes nobody of other tenants where its URL says %s', (of, ofCompany, ofConsumers) => {
    const takes = (tenant: string) =>
      ['https://login.microsoftonline.com/%/v2.0', 'https://sts.windows.net/%/'].map((issuer) =>
        azure.acceptsIssuer?.(issuer.replace('%', tenant), `https://login.microsoftonline.com/${of}`),
      );
    expect(takes('11111111-2222-3333-4444-555555555555')).toEqual([ofCompany, ofCompany]);
    expect(takes('9188040d-6c67-4c5b-b112-36a304b66dad')).toEqual([ofConsumers, ofConsumers]);
  });

  it("apple tells somebody's name in a form, the first time", () => {
    const form = new URLSearchParams({ user: '{"name":{"firstName":"Ada","lastName":"Lovelace"}}' });
    const { name, ...nameless } = claims;
    expect(apple.profile(nameless, form).claims.full_name).toBe('Ada Lovelace');
    expect(apple.profile(nameless, new URLSearchParams({ user: 'x' })).claims.name).toBeUndefined();
  });

  it('vercel_marketplace has names of its own', () => {
    const raw = { iss: 'https://marketplace.vercel.com', sub: 'u', user_email: 'a@x.co', user_name: 'Ada' };
    expect(vercelMarketplace.profile(raw, new URLSearchParams())).toMatchObject({
      emails: [{ address: 'a@x.co', isVerified: false }],
      claims: { name: 'Ada' },
    });
  });
});
