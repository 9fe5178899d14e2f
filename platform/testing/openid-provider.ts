/**
 * A real OpenID Connect provider, with a page on which users choose their account, and a way to sign in without that
 * page.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import Provider, { type Configuration, type KoaContextWithOIDC } from 'oidc-provider';

/** Client id of this application at the provider. */
export const CLIENT_ID = 'greenroom';
/** Client secret of this application at the provider. */
export const CLIENT_SECRET = 'a secret of at least thirty-two bytes';

/** A user with an account at the provider: claims without `sub`. */
export type Claims = Record<string, unknown>;

/** A running provider. */
export interface OpenidProvider {
  issuer: string;
  /** Users who can sign in, by their `sub`; all others are rejected. */
  users: Map<string, Claims>;
  /** Creates an ID token like a native app receives it. */
  idToken(claims: JWTPayload, alg?: string): Promise<string>;
  close(): Promise<void>;
}

/**
 * Starts a provider. The parameter `login_hint` selects the user; with `interactive`, the user is selected on a page.
 * @param redirectUri URL that it redirects users back to
 */
export async function startOpenidProvider(
  redirectUri: string,
  { interactive = false } = {},
): Promise<OpenidProvider> {
  const users = new Map<string, Claims>();
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const http = createServer();
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, configuration(redirectUri, users, key));
  provider.use(interactive ? signInByPage(provider, users) : signInByLoginHint(provider, users));
  http.on('request', provider.callback());
  return {
    issuer,
    users,
    idToken: (claims, alg = 'RS256') =>
      new SignJWT({ iss: issuer, aud: CLIENT_ID, ...claims })
        .setProtectedHeader({ alg, kid: 'one' })
        .setIssuedAt()
        .setExpirationTime(claims.exp ?? '5m')
        .sign(privateKey),
    close: () =>
      new Promise((done) => {
        http.closeAllConnections();
        http.close(() => done());
      }),
  };
}

function configuration(redirectUri: string, users: Map<string, Claims>, key: object): Configuration {
  return {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    jwks: { keys: [key] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture', 'nickname'] },
    // Like most providers, it includes the user's claims in the ID token.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    scopes: ['openid', 'offline_access', 'email', 'profile'],
    cookies: { keys: ['a key'] },
    pkce: { required: () => true },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) =>
      users.has(sub) ? { accountId: sub, claims: async () => ({ sub, ...users.get(sub) }) } : undefined,
    loadExistingGrant: async ({ oidc }) => {
      const { client, session, provider } = oidc;
      const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId });
      grant.addOIDCScope('openid email profile offline_access');
      await grant.save();
      return grant;
    },
    renderError: (ctx, out) => {
      ctx.body = JSON.stringify(out);
    },
  };
}

type Middleware = (ctx: KoaContextWithOIDC, next: () => Promise<void>) => Promise<void>;

/** Signs in the user of the parameter `login_hint`; an unknown one cancels. */
function signInByLoginHint(provider: Provider, users: Map<string, Claims>): Middleware {
  return async (ctx, next) => {
    if (!ctx.path.startsWith('/interaction/')) return next();
    const { params } = await provider.interactionDetails(ctx.req, ctx.res);
    await finishInteraction(provider, ctx, users, String(params.login_hint ?? ''));
  };
}

/** Shows a page with a link for each user, and Cancel. */
function signInByPage(provider: Provider, users: Map<string, Claims>): Middleware {
  return async (ctx, next) => {
    if (!ctx.path.startsWith('/interaction/')) return next();
    const sub = new URLSearchParams(ctx.querystring).get('as');
    if (sub !== null) return finishInteraction(provider, ctx, users, sub);
    const links = [...[...users.keys()].map((name) => [name, name]), ['', 'Cancel']].map(
      ([as = '', name]) => `<li><a href="?${new URLSearchParams({ as })}">${name}</a></li>`,
    );
    ctx.type = 'html';
    ctx.body = `<!doctype html><html lang="en"><title>Provider</title><h1>Who are you?</h1><ul>${links.join('')}</ul>`;
  };
}

async function finishInteraction(
  provider: Provider,
  ctx: KoaContextWithOIDC,
  users: Map<string, Claims>,
  sub: string,
): Promise<void> {
  const result = users.has(sub)
    ? { login: { accountId: sub } }
    : { error: 'access_denied', error_description: 'The user pressed Cancel' };
  ctx.redirect(await provider.interactionResult(ctx.req, ctx.res, result));
}

/**
 * Follows redirects, with cookies, until they lead to `end`.
 * @returns the last URL, and the last response if that was not a redirect
 */
export async function followRedirects(
  start: string,
  end: string,
): Promise<{ location: string; response?: Response }> {
  const cookies = new Map<string, string>();
  let location = start;
  for (let hop = 0; hop < 10; hop += 1) {
    if (location.startsWith(end)) return { location };
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(location, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const next = response.headers.get('location');
    if (next === null) return { location, response };
    location = new URL(next, location).href;
  }
  throw new Error(`too many redirects, the last one to ${location}`);
}
