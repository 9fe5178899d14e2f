/**
 * The app, for the server that runs it. Nothing here loads React, the router or the bundler before it is needed, so a
 * server without pages pays nothing for them.
 */

export type { PageHandler, PageOptions, SiteFolder, SiteText } from './lib/page/page-options.ts';
export { LATEST_BUILD_FILE } from './lib/page/page-options.ts';
export { type PageProvider, withoutSuperseded } from './lib/page/page-provider.ts';
export { ensureBuilt } from './server/build.ts';
export { createDevPages } from './server/dev-pages.ts';
export { createSitePages } from './server/page-handler.ts';
export { startUpkeep } from './server/upkeep.ts';
export { answerIcons } from './ui/icons/endpoint.ts';
export { ICONS_FOLDER } from './ui/icons/folder.ts';
