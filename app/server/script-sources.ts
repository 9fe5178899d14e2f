/**
 * Where scripts of a page may come from. Storage serves uploads at the address of the pages, so `'self'` would let an
 * uploaded script run: only the folder of the built files is allowed.
 */

import type { SitePlace } from '../lib/page/page-options.ts';
import { ownAssetsPath } from './asset-urls.ts';

/** What the sources depend on. */
export interface ScriptPlace {
  place: SitePlace;
  /** Public address of the site; undefined where each request names it. */
  publicUrl: string | undefined;
  /** In development the bundler serves modules from everywhere below the base. */
  isDevelopment: boolean;
}

/** Source lists of the content security policy, as text. */
interface ScriptSources {
  /** For `script-src`, without nonce and captcha. */
  scripts: string;
  /** For `worker-src`. Workers always come from the site itself. */
  workers: string;
}

/** Uploads are below it. */
const UPLOADS = '/storage/v1/';
/** A name, or the one address that a policy can name with a path (CSP 3 section 6.7.2.9), and perhaps a port. */
const NAMEABLE_HOST =
  /^(?:127\.0\.0\.1|(?!\d+\.\d+\.\d+\.\d+(?::|$))[a-z\d-]+(?:\.[a-z\d-]+)*\.?)(?::\d+)?$/i;

/**
 * Prepares the sources; the function returned writes them for the host, with its port, that a visitor has used. Hosts
 * that a policy cannot name (other IP addresses) get `'strict-dynamic'`: scripts run with the nonce, or by one that has it.
 * So does a folder that uploads are below, too, which is the case where the built files are at `/`.
 */
export function scriptSources({
  place,
  publicUrl,
  isDevelopment,
}: ScriptPlace): (host: string) => ScriptSources {
  if (isDevelopment) return () => ({ scripts: "'self'", workers: "'self' blob:" });
  const path = asSourcePath(ownAssetsPath(place));
  const fromCdn = place.cdnURL === '' ? '' : ` ${cdnSource(place)}`;
  // A proxy may pass on another host than the one that visitors use; the setting names that one.
  const siteHost = publicUrl === undefined ? undefined : new URL(publicUrl).host;
  return (host) => {
    const hosts = siteHost === undefined || siteHost === host ? [host] : [host, siteHost];
    if (UPLOADS.startsWith(path) || !hosts.every((name) => NAMEABLE_HOST.test(name))) {
      return { scripts: "'strict-dynamic'", workers: "'none'" };
    }
    const own = hosts.map((name) => name + path).join(' ');
    return { scripts: own + fromCdn, workers: own };
  };
}

function cdnSource({ cdnURL, buildAssetsDir }: SitePlace): string {
  const { origin, pathname } = new URL(cdnURL + buildAssetsDir);
  return origin + asSourcePath(pathname);
}

/** These two would end the source (CSP 3 section 2.3.1). */
function asSourcePath(path: string): string {
  return path.replaceAll(';', '%3B').replaceAll(',', '%2C');
}
