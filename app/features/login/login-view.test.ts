import { describe, expect, it } from 'vitest';
import { type LoginView, loginPath, parseLoginView } from '../../session/login-view.ts';

const views = {
  signIn: { mode: 'sign-in', by: 'email' },
  signUp: { mode: 'sign-up', by: 'email' },
  phoneIn: { mode: 'sign-in', by: 'phone' },
  phoneUp: { mode: 'sign-up', by: 'phone' },
} satisfies Record<string, LoginView>;

describe('the login view', () => {
  it.each<[string, LoginView, string]>([
    ['', views.signIn, '/login'],
    ['mode=sign-up', views.signUp, '/login?mode=sign-up'],
    ['with=phone', views.phoneIn, '/login?with=phone'],
    ['mode=sign-up&with=phone', views.phoneUp, '/login?mode=sign-up&with=phone'],
    ['mode=nonsense&with=pigeon', views.signIn, '/login'],
  ])('round-trips %j', (search, view, path) => {
    expect(parseLoginView(new URLSearchParams(search))).toEqual(view);
    expect(loginPath('/login', view)).toBe(path);
  });
});
