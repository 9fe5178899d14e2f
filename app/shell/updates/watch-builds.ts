/** Checks periodically whether the server has a newer build than this tab. */
import { FetchError } from '../../lib/fetch/fetch-error.ts';
import type { PageConfig } from '../../lib/page/page-config.ts';

/** Dependencies of the checks. */
export interface BuildWatch {
  config: Pick<PageConfig, 'baseURL' | 'cdnURL' | 'buildAssetsDir' | 'buildId' | 'buildCheckSeconds'>;
  /** Fetches the JSON at a URL; rejects with a {@link FetchError} on failure. */
  fetchJson(address: string): Promise<unknown>;
  now(): number;
  onOutdated(): void;
}

/** Returns the folder of the build manifests: a path, or a URL on the CDN. */
export function buildsAddress({ baseURL, cdnURL, buildAssetsDir }: BuildWatch['config']): string {
  return `${cdnURL === '' ? baseURL.slice(0, -1) : cdnURL}${buildAssetsDir}builds/`;
}

/**
 * Fetches the manifest of this tab's own build, so that it is in the browser's cache. Failures are ignored.
 */
export async function warmManifest({ config, fetchJson }: BuildWatch): Promise<void> {
  await fetchJson(metaAddress(config)).catch(() => undefined);
}

/**
 * Checks every `buildCheckSeconds`, never if that is 0, until there is a newer build. A missing manifest of
 * this tab's build (404, or 403 on some CDNs) counts as a newer build, because old builds are removed. All
 * other errors are ignored until the next check. Returns a function that stops the checks.
 */
export function watchBuilds(watch: BuildWatch): () => void {
  const { buildCheckSeconds } = watch.config;
  if (buildCheckSeconds === 0) return () => {};
  let timer: ReturnType<typeof setTimeout>;
  let isCancelled = false;
  const check = async () => {
    const isOutdated = await isNewer(watch).catch(() => false);
    if (isCancelled) return;
    if (isOutdated) watch.onOutdated();
    else arm();
  };
  const arm = () => {
    timer = setTimeout(check, buildCheckSeconds * 1000);
  };
  arm();
  return () => {
    isCancelled = true;
    clearTimeout(timer);
  };
}

async function isNewer({ config, fetchJson, now }: BuildWatch): Promise<boolean> {
  if (await fetchJson(metaAddress(config)).then(() => false, isUnavailable)) return true;
  const latest = await fetchJson(`${buildsAddress(config)}latest.json?${now()}`);
  const hasId = typeof latest === 'object' && latest !== null && 'id' in latest;
  return hasId && typeof latest.id === 'string' && latest.id !== config.buildId;
}

function isUnavailable(error: unknown): boolean {
  return error instanceof FetchError && (error.status === 404 || error.status === 403);
}

function metaAddress(config: BuildWatch['config']): string {
  return `${buildsAddress(config)}meta/${config.buildId}.json`;
}
