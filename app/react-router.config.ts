/** React Router's build settings. The build goes where `GREENROOM_APP_BUILD` says, so that it can be swapped in whole. */
import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: '.',
  buildDirectory: process.env.GREENROOM_APP_BUILD ?? 'build',
  // What would be split off is a line a route, and must be loaded by the same guarded way as the rest.
  splitRouteModules: false,
  // A few small routes: naming them all in the first page costs less than asking for them one by one.
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
