import { describe, expect, it } from 'vitest';
import { loginPath } from '../session/login-view.ts';
import { placePaths } from './navigation.ts';

describe('placePaths', () => {
  it.each(['/login', '/door'])('knows the forms of the sign-in page %s', (login) => {
    expect(placePaths(login)).toMatchObject({
      signIn: loginPath(login, { mode: 'sign-in', by: 'email' }),
      signUp: loginPath(login, { mode: 'sign-up', by: 'email' }),
    });
  });
});
