/** What the sign-in form may hold: read from a form, judged, and put into words where something is missing. */

/** Either of the form's two purposes. */
export type LoginMode = 'sign-in' | 'sign-up';
/** What a person signs in with, beside the password. */
export type Identifier = 'email' | 'phone';

/** Which form is shown; it stands in the search parameters. */
export interface LoginView {
  mode: LoginMode;
  by: Identifier;
}

/** Credentials in the official client's form. */
export type Credentials = { email: string; password: string } | { phone: string; password: string };

/** What is wrong, by place. `form` is about the whole. */
export interface LoginProblems {
  form?: string;
  identifier?: string;
  password?: string;
}

/** Either credentials that are worth sending, or problems with an HTTP status. */
export type CredentialsCheck =
  | { credentials: Credentials; problems?: undefined }
  | { credentials?: undefined; problems: LoginProblems; status: 400 | 422 };

/** Text of the official client for a form that lacks something. */
export const CREDENTIALS_MISSING = 'You must provide either an email or phone number and a password';
/** The backend counts the same way at least. */
export const MIN_PASSWORD_CHARACTERS = 6;
/** bcrypt reads no more. */
export const MAX_PASSWORD_BYTES = 72;
const MAX_EMAIL_CHARACTERS = 255;

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

/** Judges what was typed. The backend judges again, and knows more. */
export function checkCredentials({ mode, by }: LoginView, form: FormData): CredentialsCheck {
  const identifier = text(form, by).trim();
  const password = text(form, 'password');
  if (!identifier || !password) return { problems: missing({ mode, by }, identifier, password), status: 400 };
  const problems = {
    ...problem('identifier', by === 'email' ? emailProblem(identifier) : phoneProblem(identifier)),
    ...problem('password', passwordProblem(mode, password)),
  };
  if (Object.keys(problems).length > 0) return { problems, status: 422 };
  if (by === 'email') return { credentials: { email: identifier, password } };
  return { credentials: { phone: toE164(identifier), password } };
}

function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

function missing({ mode, by }: LoginView, identifier: string, password: string): LoginProblems {
  return {
    form: CREDENTIALS_MISSING,
    ...(!identifier && {
      identifier: by === 'email' ? 'Enter your email address.' : 'Enter your phone number.',
    }),
    ...(!password && { password: mode === 'sign-in' ? 'Enter your password.' : 'Choose a password.' }),
  };
}

function problem(place: keyof LoginProblems, message: string | undefined): LoginProblems {
  return message === undefined ? {} : { [place]: message };
}

function emailProblem(email: string): string | undefined {
  if (email.length > MAX_EMAIL_CHARACTERS)
    return `Use an address of at most ${MAX_EMAIL_CHARACTERS} characters.`;
  if (/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email)) return undefined;
  return 'This is not an email address. It should look like name@example.com.';
}

function phoneProblem(phone: string): string | undefined {
  if (/^[1-9][0-9]{6,14}$/.test(toE164(phone))) return undefined;
  return 'Enter the number with its country code, for example +44 7700 900123.';
}

/** E.164 without the plus sign, as the backend keeps it. */
function toE164(phone: string): string {
  return phone.replace(/[\s().-]/g, '').replace(/^(\+|00)/, '');
}

function passwordProblem(mode: LoginMode, password: string): string | undefined {
  if (password.includes('\0')) return 'A password cannot contain this character.';
  if (mode === 'sign-in') return undefined;
  if ([...password].length < MIN_PASSWORD_CHARACTERS)
    return `Use at least ${MIN_PASSWORD_CHARACTERS} characters.`;
  if (new TextEncoder().encode(password).length > MAX_PASSWORD_BYTES) {
    return `Use a shorter password: at most ${MAX_PASSWORD_BYTES} letters, fewer with accents or emoji.`;
  }
  return undefined;
}
