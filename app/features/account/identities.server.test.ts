import type { User, UserIdentity } from '@supabase/supabase-js';
import { describe, expect, it } from 'vitest';
import type { PageProvider } from '../../lib/page/page-provider.ts';
import { linkableProviders, ownIdentities } from './identities.server.ts';

const first: PageProvider = { name: 'first', title: 'First', icon: 'lucide:globe' };
const old: PageProvider = { name: 'old', title: 'Second', icon: 'lucide:globe', successor: 'second' };
const second: PageProvider = { name: 'second', title: 'Second', icon: 'lucide:globe' };
const knownProviders = [first, old, second];

function identitiesOf(...providers: string[]) {
  const identities = providers.map(
    (provider) =>
      ({ identity_id: provider, provider, identity_data: { email: 'a@x.co' } }) as unknown as UserIdentity,
  );
  return ownIdentities({ identities } as User, { providers: [], knownProviders });
}

describe('ownIdentities', () => {
  it('uses titles of known providers and names of unknown ones', () => {
    expect(identitiesOf('first', 'custom:other')).toEqual([
      { id: 'first', provider: 'first', title: 'First', name: 'a@x.co' },
      { id: 'custom:other', provider: 'custom:other', title: 'custom:other', name: 'a@x.co' },
    ]);
  });
});

describe('linkableProviders', () => {
  it.each<[string, PageProvider[], string[], string[], string[]]>([
    ['no provider by default', [], ['email', 'phone'], [], []],
    ['a provider of the sign-in page', [second], [], [], ['second']],
    ['the providers of the backend', [], ['email', 'second', 'first'], ['email'], ['first', 'second']],
    ['no unknown provider', [], ['unknown'], [], []],
    ['no linked provider', [first], ['second'], ['first'], ['second']],
    ['no deprecated provider together with its successor', [], ['old', 'second'], [], ['second']],
    ['a deprecated provider without successor', [], ['old'], [], ['old']],
  ])('returns %s', (_, providers, offered, linked, expected) => {
    const linkable = linkableProviders({ providers, knownProviders }, offered, identitiesOf(...linked));
    expect(linkable.map(({ name }) => name)).toEqual(expected);
  });
});
