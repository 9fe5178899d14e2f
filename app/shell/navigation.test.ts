import { describe, expect, it } from 'vitest';
import { loginPath } from '../session/login-view.ts';
import { PLACE_LIST, placePaths } from './navigation.ts';

describe('placePaths', () => {
  it.each(['/login', '/door'])('contains the URLs of the sign-in page %s', (login) => {
    expect(placePaths(login)).toMatchObject({
      signIn: loginPath(login, { mode: 'sign-in', by: 'email' }),
      signUp: loginPath(login, { mode: 'sign-up', by: 'email' }),
    });
  });
});

it.each([
  ['signedIn', ['home']],
  ['admins', ['users', 'mailbox', 'components']],
  ['signedOut', ['signIn', 'signUp']],
] as const)('lists for %s the pages %j in this order', (wanted, ids) => {
  const found: readonly string[] = PLACE_LIST.filter(({ scope }) => scope === wanted).map(({ id }) => id);
  expect(found.filter((id) => ids.some((expected) => expected === id))).toEqual(ids);
});
