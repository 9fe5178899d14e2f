/**
 * Prevents cross-site request forgery: other sites must not make a visitor's browser run the app's actions.
 */

/** Headers that reveal the origin of a request; undefined if absent. */
export interface ActionSource {
  origin: string | undefined;
  secFetchSite: string | undefined;
  /** The request's own host, with port. */
  host: string | undefined;
}

/**
 * Returns whether an action may run. Browsers send the origin with every POST; a request without one comes
 * from another program, unless `Sec-Fetch-Site` indicates a browser. The scheme of the own host is not
 * compared, since a proxy may terminate TLS; `publicUrl` is compared including its scheme.
 */
export function isOwnAction(source: ActionSource, publicUrl: string | undefined): boolean {
  const { origin, secFetchSite, host } = source;
  if (origin === undefined) return secFetchSite === undefined || secFetchSite === 'same-origin';
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  if (publicUrl !== undefined && from.origin === new URL(publicUrl).origin) return true;
  return /^https?:$/.test(from.protocol) && from.host === withoutDefaultPort(host, from.protocol);
}

function withoutDefaultPort(host: string | undefined, protocol: string): string | undefined {
  const address = `${protocol}//${host}`;
  return host !== undefined && URL.canParse(address) ? new URL(address).host : undefined;
}
