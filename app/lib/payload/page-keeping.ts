/** The code that keeps pages without a response. It is loaded after the page, so the middleware finds it here. */
import type { DataStrategyResult } from 'react-router';

/** Results of loaders or of an action by route id. The router keeps the data of routes without a result. */
export type Results = Record<string, DataStrategyResult>;

/** Empty while pages are not kept. See ./keep-page.ts. */
export const pageKeeping: {
  /** The page that the router loads only to end a navigation, as path with query: it has the data of the page. */
  returningTo?: string | undefined;
  /** Returns results that keep the current page if no response has arrived; otherwise undefined. */
  keepPage?: ((request: Request, page: string, results: Results) => Promise<Results | undefined>) | undefined;
} = {};
