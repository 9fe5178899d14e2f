/**
 * Sources of scripts in the content security policy. Storage serves uploads from the origin of the pages,
 * so `'self'` would allow uploaded scripts: only the folder of the built files is allowed.
 */

import type { SiteLocation } from '../lib/page/page-options.ts';
import { ownAssetsPath } from './asset-urls.ts';

/** Values that determine the sources. */
export interface ScriptSourceOptions {
  location: SiteLocation;
  /** Public URL of the site; undefined if it is taken from each request. */
  publicUrl: string | undefined;
  /** In development, the bundler serves modules from any path below the base. */
  isDevelopment: boolean;
}

/** Source lists of the content security policy, as text. */
interface ScriptSources {
  /** For `script-src`, without nonce and captcha. */
  scripts: string;
  /** For `worker-src`. Workers always come from the site itself. */
  workers: string;
}

/** Path below which storage serves uploads. */
const UPLOADS = '/storage/v1/';
/**
 * A host name, or 127.0.0.1, the only IP address that a policy can match with a path (CSP 3 section
 * 6.7.2.9); optionally with a port.
 */
const NAMEABLE_HOST =
  /^(?:127\.0\.0\.1|(?!\d+\.\d+\.\d+\.\d+(?::|$))[a-z\d-]+(?:\.[a-z\d-]+)*\.?)(?::\d+)?$/i;

/**
 * Prepares the sources; the returned function formats them for the host (with port) that a visitor used.
 * Hosts that a policy cannot match (other IP addresses) get `'strict-dynamic'`: scripts run with the nonce,
 * or if loaded by a script with the nonce. The same applies if the folder of the built files contains the
 * path of uploads, i.e. if it is `/`.
 */
export function scriptSources({
  location,
  publicUrl,
  isDevelopment,
}: ScriptSourceOptions): (host: string) => ScriptSources {
  if (isDevelopment) return () => ({ scripts: "'self'", workers: "'self' blob:" });
  const path = asSourcePath(ownAssetsPath(location));
  const fromCdn = location.cdnURL === '' ? '' : ` ${cdnSource(location)}`;
  // A proxy may forward another host than the one that visitors use; the setting has the latter.
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

function cdnSource({ cdnURL, buildAssetsDir }: SiteLocation): string {
  const { origin, pathname } = new URL(cdnURL + buildAssetsDir);
  return origin + asSourcePath(pathname);
}

/** Semicolon and comma would end the source (CSP 3 section 2.3.1). */
function asSourcePath(path: string): string {
  return path.replaceAll(';', '%3B').replaceAll(',', '%2C');
}
