/** The four forms of the sign-in page: sign in or sign up, by email or phone. The URL selects one. */

export type LoginMode = 'sign-in' | 'sign-up';
/** The identifier that a user enters with the password. */
export type Identifier = 'email' | 'phone';

/** The selected form; it is encoded in the search parameters. */
export interface LoginView {
  mode: LoginMode;
  by: Identifier;
}

/** Value of the search parameter `notice` after a user has deleted their account. */
export const ACCOUNT_DELETED = 'account-deleted';

/** The backend's minimum is the same or higher. */
export const MIN_PASSWORD_CHARACTERS = 6;

/** Reads the view from search parameters; unknown values count as absent. */
export function parseLoginView(search: URLSearchParams): LoginView {
  return {
    mode: search.get('mode') === 'sign-up' ? 'sign-up' : 'sign-in',
    by: search.get('with') === 'phone' ? 'phone' : 'email',
  };
}

/** Returns the URL of a view. */
export function loginPath(login: string, { mode, by }: LoginView): string {
  const search = new URLSearchParams();
  if (mode === 'sign-up') search.set('mode', mode);
  if (by === 'phone') search.set('with', by);
  return search.size > 0 ? `${login}?${search}` : login;
}
