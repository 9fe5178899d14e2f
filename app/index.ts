/**
 * The app, for the server that runs it. Nothing here loads React, the router or the bundler before it is needed, so a
 * server without pages pays nothing for them.
 */
export { ensureBuilt } from './server/build.ts';
export { clientAssets } from './server/build-folder.ts';
export { createDevPages, type DevPages } from './server/dev-pages.ts';
export { createPageHandler } from './server/page-handler.ts';
export type {
  DevMiddleware,
  DevPageOptions,
  FirstAdminLinks,
  PageHandler,
  PageLog,
  PageOptions,
  RequestFacts,
} from './server/page-options.ts';
