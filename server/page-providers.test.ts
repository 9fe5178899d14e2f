import { PROVIDERS } from '@greenroom/auth/providers';
import { describe, expect, it } from 'vitest';
import { knownProviders, offeredProviders } from './page-providers.ts';

describe('knownProviders', () => {
  it('contains each provider of the table, in the same order', () => {
    expect(knownProviders.map(({ name, title }) => [name, title])).toEqual(
      PROVIDERS.map(({ name, title }) => [name, title]),
    );
  });

  it('contains a neutral icon for providers without an icon', () => {
    const icons = Object.fromEntries(knownProviders.map(({ name, icon }) => [name, icon]));
    expect(icons).toMatchObject({
      google: 'greenroom:google',
      github: 'lucide:github',
      zoom: 'lucide:globe',
    });
  });
});

describe('offeredProviders', () => {
  it.each([
    [[], []],
    [['google'], ['google']],
    [
      ['zoom', 'github'],
      ['github', 'zoom'],
    ],
    [['linkedin'], ['linkedin']],
    [['linkedin', 'linkedin_oidc'], ['linkedin_oidc']],
    [['vercel_marketplace', 'google'], ['google']],
    [['unknown'], []],
  ])('returns for client ids of %j the providers %j', (configured, offered) => {
    const clientIds = Object.fromEntries(configured.map((name) => [name, 'us']));
    expect(offeredProviders(clientIds).map(({ name }) => name)).toEqual(offered);
  });

  it('returns the fields that the sign-in page shows', () => {
    expect(offeredProviders({ google: 'us' })).toEqual([
      { name: 'google', title: 'Google', icon: 'greenroom:google' },
    ]);
  });
});
