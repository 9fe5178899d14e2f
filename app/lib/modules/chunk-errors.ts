/** Files of a build that could not be loaded, most often because a newer build has taken its place. */

const chunkErrors = new WeakSet<object>();

/** Notes that an error means a missing file; gives it back. */
export function noteChunkError<E>(error: E): E {
  if (typeof error === 'object' && error !== null) chunkErrors.add(error);
  return error;
}

/** Tells whether an error means a missing file. */
export function isChunkError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && chunkErrors.has(error);
}

/** What the bundler says before a file that is loaded late fails. */
interface PreloadErrorEvent extends Event {
  payload: unknown;
}

/** Listens to the bundler. A page without its late styles is still a page, so those failures are let go. */
export function watchChunkErrors(browser: Window): void {
  browser.addEventListener('vite:preloadError', (event) => {
    const { payload } = event as PreloadErrorEvent;
    if (String(payload).includes('Unable to preload CSS')) event.preventDefault();
    else noteChunkError(payload);
  });
}
