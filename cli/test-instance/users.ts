/** Signs users of a test instance in, without a password or a mail. */
import { randomUUID } from 'node:crypto';
import type { Session, SupabaseClient } from '@supabase/supabase-js';
import type { UntypedDatabase } from './client.ts';

/** The user to sign in. */
export interface UserOptions {
  /** Default: an address that no account has. */
  email?: string;
  /** Password of a new account. Default: none. */
  password?: string;
  /** User metadata of a new account, as `options.data` of `signUp`. */
  metadata?: Record<string, unknown>;
  /** App metadata of a new account, e.g. `{ role: 'admin' }` for the admin area. */
  appMetadata?: Record<string, unknown>;
}

/** A user with a session. */
export interface TestUser<Database = UntypedDatabase> {
  id: string;
  email: string;
  /** A client with the session, which acts under row-level security. */
  client: SupabaseClient<Database>;
  session: Session;
  /** Returns the cookies with the session, for a browser: `await context.addCookies(await user.cookies())` of Playwright. */
  cookies(): Promise<SessionCookie[]>;
  /**
   * Requests a page, form or route of the instance with the session of the user. Accepts HTML, and follows no redirects, unless
   * the options say otherwise. Cookies of the response are not kept.
   * @param path e.g. `/todos`
   */
  fetch(path: string, options?: RequestInit): Promise<Response>;
}

/** A cookie as Playwright takes it. */
export interface SessionCookie {
  name: string;
  value: string;
  /** URL of the pages. */
  url: string;
}

/** The clients and the pages of the instance. */
interface SignIn<Database> {
  admin: SupabaseClient<Database>;
  /** A client without a session, which gets the session. */
  client: SupabaseClient<Database>;
  /** URL of the pages, and the name of their session cookie. */
  pages: { url: string; cookieName: string };
  /** URL and key of the API. */
  api: { url: string; anonKey: string };
}

/** Creates the account if it does not exist, with a confirmed address, and signs it in. */
export async function signInAs<Database>(
  { admin, client, pages, api }: SignIn<Database>,
  { email = `user-${randomUUID()}@example.org`, password, metadata, appMetadata }: UserOptions,
): Promise<TestUser<Database>> {
  const created = await admin.auth.admin.createUser({
    email,
    email_confirm: true,
    ...(password !== undefined && { password }),
    ...(metadata && { user_metadata: metadata }),
    ...(appMetadata && { app_metadata: appMetadata }),
  });
  if (created.error && created.error.code !== 'email_exists') throw created.error;
  const session = await openSession(admin, client, email);
  async function cookies(): Promise<SessionCookie[]> {
    const { data, error } = await client.auth.getSession();
    if (error || !data.session) throw error ?? new Error(`${email} is signed out`);
    const written = await sessionCookies(data.session, { ...api, cookieName: pages.cookieName });
    return written.map((cookie) => ({ ...cookie, url: pages.url }));
  }
  return {
    id: session.user.id,
    email,
    client,
    session,
    cookies,
    fetch: async (path, options) => requestPage(pages.url + path, await cookies(), options),
  };
}

/** Requests a page as a browser does that has these cookies. */
function requestPage(
  url: string,
  cookies: readonly SessionCookie[],
  options: RequestInit = {},
): Promise<Response> {
  const headers = new Headers(options.headers);
  headers.set('cookie', cookies.map(({ name, value }) => `${name}=${value}`).join('; '));
  if (!headers.has('accept')) headers.set('accept', 'text/html');
  return fetch(url, { redirect: 'manual', ...options, headers });
}

/** Uses a link, because checking a password takes longer. */
async function openSession<Database>(
  admin: SupabaseClient<Database>,
  client: SupabaseClient<Database>,
  email: string,
): Promise<Session> {
  const link = await admin.auth.admin.generateLink({ type: 'magiclink', email });
  if (link.error) throw link.error;
  const { hashed_token: hash } = link.data.properties;
  const { data, error } = await client.auth.verifyOtp({ token_hash: hash, type: 'magiclink' });
  if (error) throw error;
  if (!data.session) throw new Error(`${email} got no session`);
  return data.session;
}

/** Lets the client of the pages write the cookies. Loaded on demand, because few tests open pages. */
async function sessionCookies(
  session: Session,
  { url, anonKey, cookieName }: { url: string; anonKey: string; cookieName: string },
): Promise<{ name: string; value: string }[]> {
  const { createServerClient } = await import('@supabase/ssr');
  const written = new Map<string, string>();
  const client = createServerClient(url, anonKey, {
    cookieOptions: { name: cookieName },
    cookies: {
      encode: 'tokens-only',
      getAll: () => [],
      setAll(cookies) {
        for (const { name, value } of cookies) written.set(name, value);
      },
    },
  });
  const { error } = await client.auth.setSession(session);
  if (error) throw error;
  return [...written].filter(([, value]) => value !== '').map(([name, value]) => ({ name, value }));
}
