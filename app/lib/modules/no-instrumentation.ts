/**
 * Replaces the router's instrumentation in browsers (see `vite.config.ts`): the app passes no `instrumentations`, and
 * without them the router calls only the function that returns the receiver of a navigation's result.
 */

/** Returns no receiver, as the router's own does without instrumentations. */
export const consumeInstrumentationClientResultMetaReceiver = () => undefined;

/** The router calls it only with instrumentations. */
export const getRouteInstrumentationUpdates = () => ({});

/** The router calls it only with instrumentations. */
export const instrumentClientSideRouter = <Router>(router: Router): Router => router;
