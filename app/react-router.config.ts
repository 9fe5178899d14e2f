/**
 * React Router's build settings. `GREENROOM_APP_BUILD` sets the target folder, so that a finished build can
 * replace the old one as a whole.
 */
import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: '.',
  buildDirectory: process.env.GREENROOM_APP_BUILD ?? 'build',
  // The split files would contain one line per route, and would need the same guarded loading as the
  // others.
  splitRouteModules: false,
  // The routes are few and small: listing all of them in the first page costs less than requesting them one
  // by one.
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
