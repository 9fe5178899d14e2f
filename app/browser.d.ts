/** Properties of `window` that the router sets. */

interface Window {
  /** React Router's data router; set after hydration. */
  readonly __reactRouterDataRouter: import('react-router').DataRouter;
}
