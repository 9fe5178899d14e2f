/**
 * `npm run bench [group …]`: measures performance, each figure compared with a reference of the same run. Groups:
 * start, project, memory, pages, auth, data, realtime, storage, functions, browser, package, backup. Default: all groups.
 */

import { benchAuth } from './auth.ts';
import { benchBackup } from './backup.ts';
import { benchBrowser } from './browser.ts';
import { benchData } from './data.ts';
import { benchFunctions } from './functions.ts';
import type { Figure } from './measure/figure.ts';
import { printFigures } from './measure/figure.ts';
import { benchMemory } from './memory.ts';
import { benchPackage } from './package.ts';
import { benchPages } from './pages.ts';
import { benchProject } from './project.ts';
import { benchRealtime } from './realtime.ts';
import { benchStart } from './start.ts';
import { benchStorage } from './storage.ts';

const GROUPS: Record<string, () => Promise<Figure[]>> = {
  start: benchStart,
  project: benchProject,
  memory: benchMemory,
  pages: benchPages,
  auth: benchAuth,
  data: benchData,
  realtime: benchRealtime,
  storage: benchStorage,
  functions: benchFunctions,
  browser: benchBrowser,
  package: benchPackage,
  backup: benchBackup,
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in GROUPS));
if (unknown.length > 0) {
  process.stderr.write(
    `unknown groups: ${unknown.join(', ')}; available: ${Object.keys(GROUPS).join(', ')}\n`,
  );
  process.exit(2);
}

for (const [name, run] of Object.entries(GROUPS)) {
  if (names.length > 0 && !names.includes(name)) continue;
  process.stdout.write(`\n${name}\n`);
  printFigures(await run());
}
