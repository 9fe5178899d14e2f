/** Asks now and then whether the server has a newer build than this tab. */
import { FetchError } from '../../lib/fetch/fetch-error.ts';
import type { PageConfig } from '../../lib/page/page-config.ts';

/** What the watch stands on. */
export interface BuildWatch {
  config: Pick<PageConfig, 'baseURL' | 'cdnURL' | 'buildAssetsDir' | 'buildId' | 'buildCheckSeconds'>;
  /** Asks for the JSON at an address; rejects with a {@link FetchError} where there is none. */
  ask(address: string): Promise<unknown>;
  now(): number;
  onOutdated(): void;
}

/** Folder of the build manifests: a path, or an address on the CDN. */
export function buildsAddress({ baseURL, cdnURL, buildAssetsDir }: BuildWatch['config']): string {
  return `${cdnURL === '' ? baseURL.slice(0, -1) : cdnURL}${buildAssetsDir}builds/`;
}

/** Fetches the manifest of this tab's own build, so that it lies in the browser's cache. Failures do not matter. */
export async function warmManifest({ config, ask }: BuildWatch): Promise<void> {
  await ask(metaAddress(config)).catch(() => undefined);
}

/**
 * Checks every `buildCheckSeconds`, never where that is 0, until there is a newer build. The build of a tab may also
 * have been removed; then its manifest is gone (404, or 403 on some CDNs). Everything else that goes wrong is ignored:
 * the next check may do better. Returns how to stop.
 */
export function watchBuilds(watch: BuildWatch): () => void {
  const { buildCheckSeconds } = watch.config;
  if (buildCheckSeconds === 0) return () => {};
  let timer: ReturnType<typeof setTimeout>;
  let isOver = false;
  const check = async () => {
    const isOutdated = await isNewer(watch).catch(() => false);
    if (isOver) return;
    if (isOutdated) watch.onOutdated();
    else arm();
  };
  const arm = () => {
    timer = setTimeout(check, buildCheckSeconds * 1000);
  };
  arm();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

async function isNewer({ config, ask, now }: BuildWatch): Promise<boolean> {
  if (await ask(metaAddress(config)).then(() => false, isGone)) return true;
  const latest = await ask(`${buildsAddress(config)}latest.json?${now()}`);
  const hasId = typeof latest === 'object' && latest !== null && 'id' in latest;
  return hasId && typeof latest.id === 'string' && latest.id !== config.buildId;
}

function isGone(error: unknown): boolean {
  return error instanceof FetchError && (error.status === 404 || error.status === 403);
}

function metaAddress(config: BuildWatch['config']): string {
  return `${buildsAddress(config)}meta/${config.buildId}.json`;
}
