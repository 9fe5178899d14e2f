/**
 * The interface of the app for the server that runs it. React, the router and the bundler are loaded on
 * first use only, so that a server without pages does not load them.
 */

export type { PageHandler, PageOptions, SiteFolder, SiteText } from './lib/page/page-options.ts';
export { LATEST_BUILD_FILE } from './lib/page/page-options.ts';
export { type PageProvider, withoutSuperseded } from './lib/page/page-provider.ts';
export { createDevPages } from './server/dev-pages.ts';
export { startMaintenance } from './server/maintenance.ts';
export { createSitePages, loadSiteBuild } from './server/page-handler.ts';
export { handleIconsRequest } from './ui/icons/endpoint.ts';
export { ICONS_FOLDER } from './ui/icons/folder.ts';
