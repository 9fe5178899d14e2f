/** Keeps other sites from sending a visitor's browser to our actions (cross-site request forgery). */

/** What a request says about where it comes from; each header's value, or undefined without it. */
export interface ActionSource {
  origin: string | undefined;
  secFetchSite: string | undefined;
  /** The request's own host, with port. */
  host: string | undefined;
}

/**
 * Tells whether an action may be carried out. Browsers name the origin of every POST; a request without one comes
 * from a program, unless `Sec-Fetch-Site` shows a browser. The scheme of the own host is not compared, since a proxy
 * may have taken https away; `publicUrl` is compared whole.
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
