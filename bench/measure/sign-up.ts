import { randomUUID } from 'node:crypto';

/** Signs up a new user with the form of the page, like a browser without scripts; returns the session's cookies. */
export async function signUp(url: string): Promise<string> {
  const response = await fetch(`${url}/login?mode=sign-up`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ email: `${randomUUID()}@example.org`, password: 'correct horse' }),
  });
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]);
  if (response.status !== 302 || cookies.length === 0)
    throw new Error(`sign-up responded with status ${response.status}`);
  return cookies.join('; ');
}
