/** Which of its four forms the sign-in page shows: sign in or sign up, by email or phone. It stands in the address. */

/** Either of the form's two purposes. */
export type LoginMode = 'sign-in' | 'sign-up';
/** What a person signs in with, beside the password. */
export type Identifier = 'email' | 'phone';

/** Which form is shown; it stands in the search parameters. */
export interface LoginView {
  mode: LoginMode;
  by: Identifier;
}

/** Search parameter `notice`: whoever comes has just deleted their account. */
export const ACCOUNT_DELETED = 'account-deleted';

/** The backend counts the same way at least. */
export const MIN_PASSWORD_CHARACTERS = 6;

/** Reads the view out of search parameters; unknown values are as if absent. */
export function parseLoginView(search: URLSearchParams): LoginView {
  return {
    mode: search.get('mode') === 'sign-up' ? 'sign-up' : 'sign-in',
    by: search.get('with') === 'phone' ? 'phone' : 'email',
  };
}

/** Address of a view. */
export function loginPath(login: string, { mode, by }: LoginView): string {
  const search = new URLSearchParams();
  if (mode === 'sign-up') search.set('mode', mode);
  if (by === 'phone') search.set('with', by);
  return search.size > 0 ? `${login}?${search}` : login;
}
