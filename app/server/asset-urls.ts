/**
 * URLs of a site's built files. A build contains only its own folder; a site may have a base path or a CDN.
 */
import { createHash } from 'node:crypto';
import type { ServerBuild } from 'react-router';
import type { SiteLocation } from '../lib/page/page-options.ts';

/** Folder of the built files as the bundler writes it into a build. */
const BUILT_FOLDER = '/assets/';

/** Files of a build, as the router lists them for browsers. */
type BuildAssets = ServerBuild['assets'];

/** The router's list of routes and files, as a script specific to one site. */
interface RouteManifest {
  /** Path on the site. */
  path: string;
  text: string;
}

/** Returns the folder of the built files on the site itself, as a path. */
export function ownAssetsPath({ baseURL, buildAssetsDir }: SiteLocation): string {
  return baseURL + buildAssetsDir.slice(1);
}

/** Returns the folder from which browsers load the built files: a path, or a URL on the CDN. */
export function assetsAddress(location: SiteLocation): string {
  return location.cdnURL === '' ? ownAssetsPath(location) : location.cdnURL + location.buildAssetsDir;
}

/**
 * Rewrites the URLs of a build's files for a site. The router's manifest contains URLs, too, so each site
 * gets its own; the site itself serves it under a name that changes with its content.
 */
export function rewriteAssetUrls(
  assets: BuildAssets,
  location: SiteLocation,
): { assets: BuildAssets; manifest: RouteManifest } {
  const address = assetsAddress(location);
  const rewritten: BuildAssets = JSON.parse(JSON.stringify(assets), (_key, value) =>
    typeof value === 'string' && value.startsWith(BUILT_FOLDER)
      ? address + value.slice(BUILT_FOLDER.length)
      : value,
  );
  const manifest = writeManifest(rewritten, location);
  return { assets: { ...rewritten, url: manifest.path }, manifest };
}

/** The manifest contains its own URL, so the hash in its name covers everything else in it. */
function writeManifest(assets: BuildAssets, location: SiteLocation): RouteManifest {
  const write = (url: string) => `window.__reactRouterManifest=${JSON.stringify({ ...assets, url })};`;
  const hash = createHash('sha256').update(write('')).digest('hex').slice(0, 8);
  const path = `${ownAssetsPath(location)}manifest-${hash}.js`;
  return { path, text: write(path) };
}
