/** Determines which paths belong to services. The app, and all services with it, may be below a base path. */

const SERVICE = /^\/(?:[a-z]+\/v1|pg)(?:[/?]|$)/;
const DATA = /^\/rest\/v1(?:[/?]|$)/;
const STATUS = /^\/(?:health(?:\/live|\/ready)?|metrics)(?:\?|$)/;

/**
 * The path at which clients request the metadata of an issuer that has a path: in front of that path (RFC 8414 §3.1).
 */
const DESCRIPTION =
  /^(\/\.well-known\/(?:oauth-authorization-server|openid-configuration))(\/auth\/v1)(?=\?|$)/;

/** Path of the data API, as in the hosted service. */
const DATA_PATH = '/rest/v1';

/** Whether a path belongs to a service, even if that service does not run. */
export function isServicePath(path: string): boolean {
  return SERVICE.test(path);
}

/**
 * Creates the function that removes the base (`/app/`) from the paths of services, so that they can be reached through
 * a proxy that forwards only paths below the base. Paths without the base remain unchanged. Paths that match {@link
 * DESCRIPTION} are mapped to the service as well.
 */
export function removeBaseFromServices(baseURL: string): (url: string) => string {
  return (url) => {
    const path = url.startsWith(baseURL) ? url.slice(baseURL.length - 1) : url;
    if (isServicePath(path) || STATUS.test(path)) return path;
    return DESCRIPTION.test(path) ? path.replace(DESCRIPTION, '$2$1') : url;
  };
}

/**
 * Maps paths if the data API runs alone: it is then also served at the root, as PostgREST is. Relations named `health`
 * and `metrics` can only be reached below {@link DATA_PATH}.
 */
export function dataApiAtRoot(url: string): string {
  return !url.startsWith('/') || DATA.test(url) || STATUS.test(url) ? url : DATA_PATH + url;
}
