/**
 * Imports that can be tried again. A browser keeps the failure of a module for as long as the page lives
 * (https://github.com/whatwg/html/issues/6768), so that another attempt needs another address.
 */
import { noteChunkError } from './chunk-errors.ts';

/**
 * Makes a failed import worth another call, by a query after the address that the browser named in its error.
 * Browsers that name none (Safari) keep no failures. The error of a failed call is noted as one of a missing file.
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
      throw noteChunkError(error);
    }
  };
}

/** The address that Chromium and Firefox put at the end of the message. */
function addressIn(error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : '';
  return /module: (\S+?)(?:\?\S*)?$/.exec(message)?.[1];
}
