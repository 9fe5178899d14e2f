/** Sessions of users and applications that tests create through the API, and requests of pages with them. No browser is needed. */
import { createHash, randomBytes } from 'node:crypto';
import { expect } from '@playwright/test';
import type { Instance } from './instance.ts';
import { newPerson } from './person.ts';
import { codeOf } from './second-factor.ts';
import { readStatus } from './shared-instance.ts';

const CALLBACK = 'http://127.0.0.1:9/callback';

/** Name of the cookie of sessions: the value of GREENROOM_COOKIE_PREFIX of the instance. */
export const SESSION_COOKIE = 'sb-e2e-auth-token';

/** A session as the auth service returns it. */
export interface Session {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  expires_at: number;
  user: { id: string };
}

/** Response to a request of a page. */
interface PageResponse {
  status: number;
  location: string | null;
  text: string;
}

/** The API and the pages of an instance. */
export class SessionApi {
  readonly #site: Instance;
  readonly keys: Readonly<Record<string, string>>;

  private constructor(site: Instance, keys: Record<string, string>) {
    this.#site = site;
    this.keys = keys;
  }

  static async of(site: Instance): Promise<SessionApi> {
    return new SessionApi(site, await readStatus(site.folder));
  }

  /** Calls an endpoint of the auth service; fails for an error. */
  async call<T>(method: string, path: string, bearer?: string, body?: object): Promise<T> {
    const response = await fetch(`${this.#site.url}/auth/v1${path}`, {
      method,
      redirect: 'manual',
      headers: {
        apikey: this.keys.ANON_KEY ?? '',
        origin: this.#site.url,
        'content-type': 'application/json',
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    expect(response.status, text).toBeLessThan(400);
    return (text === '' ? { location: response.headers.get('location') } : JSON.parse(text)) as T;
  }

  asService<T>(method: string, path: string, body: object): Promise<T> {
    return this.call<T>(method, path, this.keys.SERVICE_ROLE_KEY, body);
  }

  /** Creates a user and returns a session. */
  newUser(): Promise<Session> {
    return this.call<Session>('POST', '/signup', undefined, newPerson());
  }

  /** Creates an admin and returns a session whose token has the role. */
  async newAdmin(): Promise<Session> {
    const person = newPerson();
    const { user } = await this.call<Session>('POST', '/signup', undefined, person);
    await this.asService('PUT', `/admin/users/${user.id}`, { app_metadata: { role: 'admin' } });
    return this.call<Session>('POST', '/token?grant_type=password', undefined, person);
  }

  /** Creates an admin with a second factor. Returns a session at aal1, whose token has not expired, and the one at aal2. */
  async newAdminWithFactor(): Promise<{ aal1: Session; aal2: Session }> {
    const person = await this.newAdmin();
    const aal1 = await this.call<Session>('POST', '/token?grant_type=refresh_token', undefined, {
      refresh_token: person.refresh_token,
    });
    const { id, totp } = await this.call<{ id: string; totp: { secret: string } }>(
      'POST',
      '/factors',
      aal1.access_token,
      { factor_type: 'totp' },
    );
    const challenge = await this.call<{ id: string }>(
      'POST',
      `/factors/${id}/challenge`,
      aal1.access_token,
      {},
    );
    const aal2 = await this.call<Session>('POST', `/factors/${id}/verify`, aal1.access_token, {
      challenge_id: challenge.id,
      code: codeOf(totp.secret, -1),
    });
    return { aal1, aal2 };
  }

  /** Authorizes a new OAuth application with the scope `email` and returns the application's session. */
  async applicationSession(person: Session): Promise<Session> {
    const { client_id } = await this.asService<{ client_id: string }>('POST', '/admin/oauth/clients', {
      client_name: 'Notes',
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: 'none',
    });
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri: CALLBACK,
      scope: 'email',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const { location } = await this.call<{ location: string }>('GET', `/oauth/authorize?${query}`);
    const id = new URL(location).searchParams.get('authorization_id');
    await this.call('GET', `/oauth/authorizations/${id}`, person.access_token);
    const { redirect_url } = await this.call<{ redirect_url: string }>(
      'POST',
      `/oauth/authorizations/${id}/consent`,
      person.access_token,
      { action: 'approve' },
    );
    const tokens = await this.call<Session>('POST', '/oauth/token', undefined, {
      grant_type: 'authorization_code',
      client_id,
      code: new URL(redirect_url).searchParams.get('code'),
      redirect_uri: CALLBACK,
      code_verifier: verifier,
    });
    return { ...tokens, expires_at: Math.floor(Date.now() / 1000) + tokens.expires_in };
  }

  /** Requests a page with a session in the cookie, as a browser would send it. With a form, the method is POST. */
  async requestPage(
    session: Session | undefined,
    path: string,
    form?: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<PageResponse> {
    const response = await fetch(this.#site.url + path, {
      redirect: 'manual',
      headers: { ...(session && { cookie: cookieOf(session) }), origin: this.#site.url, accept: 'text/html' },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      ...(signal && { signal }),
    });
    return {
      status: response.status,
      location: response.headers.get('location'),
      text: await response.text(),
    };
  }
}

function cookieOf(session: Session): string {
  return `${SESSION_COOKIE}=base64-${Buffer.from(JSON.stringify(session)).toString('base64url')}`;
}

/** Returns whether access was denied. Data requests encode a redirect as 202 with the target in the body. */
export function isRefused({ status, location, text }: PageResponse): boolean {
  if (status === 302) return location?.startsWith('/login') ?? false;
  return status === 403 || status === 404 || (status === 202 && text.includes('/login'));
}

/**
 * Returns all paths at which a page or its data can be requested.
 * @param routeId id of its route, with which single-fetch requests of React Router select one loader
 */
export function requestPathsOf(path: string, routeId: string): string[] {
  const [page = '', query = ''] = path.split('?');
  const payload = page === '/' ? '/_payload.json' : `${page}/_payload.json`;
  const single = page === '/' ? '/_root.data' : `${page}.data`;
  const forms = [page, payload, single].map((form) => (query === '' ? form : `${form}?${query}`));
  return [...forms, `${single}?${query}&_routes=${routeId}`];
}
