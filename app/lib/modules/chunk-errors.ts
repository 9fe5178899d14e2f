/**
 * Marks errors of build files that could not be loaded, most often because a newer build has replaced them.
 */

const chunkErrors = new WeakSet<object>();

/** Marks an error as caused by a missing build file, and returns it. */
export function markChunkError<E>(error: E): E {
  if (typeof error === 'object' && error !== null) chunkErrors.add(error);
  return error;
}

/** Returns whether an error was caused by a missing build file. */
export function isChunkError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && chunkErrors.has(error);
}

/** Event that the bundler dispatches before a dynamic import fails. */
interface PreloadErrorEvent extends Event {
  payload: unknown;
}

/**
 * Listens to the bundler's events. A page remains usable without styles that load later, so their failures
 * are ignored.
 */
export function watchChunkErrors(browser: Window): void {
  browser.addEventListener('vite:preloadError', (event) => {
    const { payload } = event as PreloadErrorEvent;
    if (String(payload).includes('Unable to preload CSS')) event.preventDefault();
    else markChunkError(payload);
  });
}
