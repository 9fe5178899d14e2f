/** What the router leaves in the browser's window. */

interface Window {
  /** React Router's data router, there once the page has come alive. */
  readonly __reactRouterDataRouter: import('react-router').DataRouter;
}
