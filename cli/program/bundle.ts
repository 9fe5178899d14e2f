/** Bundles the program into the folder that the first argument names. Runs in a separate process. */
import { join } from 'node:path';
import { asciiOutput } from '@greenroom/builds';
import { rolldown } from 'rolldown';
import { PROGRAM_FOLDER } from './plan.ts';
import { sourceLocations } from './source-locations.ts';

/**
 * Packages that stay in node_modules: those with native code, those that the build of the pages loads as well (two
 * copies of React do not work together), and those that only builds and `greenroom dev` use.
 */
const EXTERNAL = [
  /^@node-rs\//,
  /^sharp$/,
  /^react(-dom|-router)?($|\/)/,
  /^(@react-router\/dev|vite|rolldown)($|\/)/,
  // pg loads it only if its user asks for it.
  /^pg-native$/,
];

const [into = ''] = process.argv.slice(2);
const bundle = await rolldown({
  input: { main: join(import.meta.dirname, '..', 'bundled-main.ts') },
  platform: 'node',
  external: EXTERNAL,
  plugins: [sourceLocations(PROGRAM_FOLDER), asciiOutput()],
  checks: { eval: false },
});
await bundle.write({
  dir: into,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
});
await bundle.close();
