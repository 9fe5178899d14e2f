import { describe, expect, it } from 'vitest';
import { loginPath } from '../session/login-view.ts';
import { navigationPaths, PAGE_LIST } from './navigation.ts';

describe('navigationPaths', () => {
  it.each(['/login', '/door'])('contains the URLs of the sign-in page %s', (login) => {
    expect(navigationPaths(login)).toMatchObject({
      signIn: loginPath(login, { mode: 'sign-in', by: 'email' }),
      signUp: loginPath(login, { mode: 'sign-up', by: 'email' }),
    });
  });
});

it.each([
  ['signedIn', ['home']],
  ['admins', ['users', 'mailbox', 'components']],
  ['signedOut', ['signIn', 'signUp']],
] as const)('lists for %s the pages %j in this order', (selected, ids) => {
  const found: readonly string[] = PAGE_LIST.filter(({ scope }) => scope === selected).map(({ id }) => id);
  expect(found.filter((id) => ids.some((expected) => expected === id))).toEqual(ids);
});
