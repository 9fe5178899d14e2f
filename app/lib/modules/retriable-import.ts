/**
 * Imports that can be retried. A browser caches the failure of a module for the lifetime of the page
 * (https://github.com/whatwg/html/issues/6768), so a retry needs another URL.
 */
import { markChunkError } from './chunk-errors.ts';

/**
 * Makes a failed import retriable: each retry appends another query to the URL that the browser named in
 * its error. Browsers that name no URL (Safari) do not cache failures. Errors are marked as chunk errors.
 *
 * @param load - calls `import()` with a literal, so that the bundler sees it
 */
export function retriableImport<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let address: string | undefined;
  let failures = 0;
  return async () => {
    try {
      if (address === undefined) return await load();
      return (await import(/* @vite-ignore */ `${address}?attempt=${failures + 1}`)) as Module;
    } catch (error) {
      failures += 1;
      address ??= addressIn(error);
      throw markChunkError(error);
    }
  };
}

/** Returns the URL that Chromium and Firefox put at the end of the message. */
function addressIn(error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : '';
  return /module: (\S+?)(?:\?\S*)?$/.exec(message)?.[1];
}
