/**
 * Replaces the router's discovery of routes in browsers (see `vite.config.ts`): each page lists all routes
 * (`routeDiscovery` in `react-router.config.ts`), so the router never requests others.
 */

/** Tells the router that each page lists all routes. */
export const isFogOfWarEnabled = () => false;

/** The router calls it only with discovery. */
export const getPartialManifest = <Manifest>(manifest: Manifest): Manifest => manifest;

/** Returns no function, as the router's own does without discovery. */
export const getPatchRoutesOnNavigationFunction = () => undefined;

/** A hook without an effect, as the router's own without discovery. */
export const useFogOFWarDiscovery = () => {};
