/** Which paths belong to services. The app, and all services with it, may lie below a base path. */

const SERVICE = /^\/[a-z]+\/v1(?:[/?]|$)/;
const DATA = /^\/rest\/v1(?:[/?]|$)/;
const STATUS = /^\/(?:health(?:\/live|\/ready)?|metrics)(?:\?|$)/;

/** Where clients look for the description of an issuer that has a path: in front of that path (RFC 8414 §3.1). */
const DESCRIPTION =
  /^(\/\.well-known\/(?:oauth-authorization-server|openid-configuration))(\/auth\/v1)(?=\?|$)/;

/** Where the data API is, as in the hosted service. */
const DATA_PATH = '/rest/v1';

/** Tells whether a path is a service's, whether that service runs or not. */
export function isServicePath(path: string): boolean {
  return SERVICE.test(path);
}

/**
 * Makes the function that takes the base (`/app/`) from the paths of services, so that a proxy which hands over only
 * what is below the base reaches them too. Without the base they stay where they are.
 * The addresses of {@link DESCRIPTION} become those of the service, too.
 */
export function takeBaseFromServices(baseURL: string): (url: string) => string {
  return (url) => {
    const path = url.startsWith(baseURL) ? url.slice(baseURL.length - 1) : url;
    if (isServicePath(path) || STATUS.test(path)) return path;
    return DESCRIPTION.test(path) ? path.replace(DESCRIPTION, '$2$1') : url;
  };
}

/**
 * Where the data API stands alone, it is at the root as well, as PostgREST is: nothing in it is at `/rest/v1`. Relations
 * called `health` and `metrics` are reached below {@link DATA_PATH} only.
 */
export function dataApiAtRoot(url: string): string {
  return !url.startsWith('/') || DATA.test(url) || STATUS.test(url) ? url : DATA_PATH + url;
}
