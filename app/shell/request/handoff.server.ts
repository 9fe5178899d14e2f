/**
 * The router's data for the browser, which it writes behind the page as scripts. The router's component reads it from a
 * stream, and suspends for each part, although the data of most pages is complete before the rendering begins.
 */
import type { EntryContext } from 'react-router';

/** The router's cache of the parts that its component has read, by number (`lib/dom/ssr/single-fetch.js`). */
type Parts = Record<number, { result: { done: boolean; value: string } }>;

/**
 * Reads complete data from the stream in advance, so that the page renders without interruption. Data with a pending
 * promise is left to the router.
 */
export async function readHandoff(routerContext: EntryContext): Promise<void> {
  const { serverHandoffStream, staticHandlerContext } = routerContext;
  const { loaderData, actionData } = staticHandlerContext;
  if (!serverHandoffStream || isPending(loaderData) || isPending(actionData)) return;
  const reader = serverHandoffStream.getReader();
  const decoder = new TextDecoder();
  const parts: Parts = {};
  for (let index = 0; ; index++) {
    const { done, value } = await reader.read();
    parts[index] = {
      result: { done, value: done ? decoder.decode() : decoder.decode(value, { stream: true }) },
    };
    if (done) break;
  }
  // The router gets a reader of its own.
  reader.releaseLock();
  Object.assign(routerContext.renderMeta ?? {}, { streamCache: parts });
}

/** Returns whether data contains a promise. The data of loaders and actions are trees. */
export function isPending(data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return false;
  return data instanceof Promise || Object.values(data).some(isPending);
}
