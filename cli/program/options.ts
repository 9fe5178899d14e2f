/** How the program is bundled. */
import { asciiOutput, LICENSES_ONLY } from '@greenroom/builds';
import type { InputOptions, OutputOptions } from 'rolldown';
import { sourceLocations } from './source-locations.ts';

/**
 * Packages that stay in node_modules: those with native code, those that the build of the pages loads as well (two
 * copies of React do not work together), and those that only builds, `greenroom dev`, comparisons of schemas and large
 * uploads use.
 */
const EXTERNAL = [
  /^@node-rs\//,
  /^sharp$/,
  /^react(-dom|-router)?($|\/)/,
  // Only `gen types` and comparisons of schemas use these, and they are larger than the program.
  /^@supabase\/(postgrest-typegen|pg-delta)($|\/)/,
  /^(@react-router\/dev|vite|rolldown)($|\/)/,
  // Only large uploads of `storage cp` use it, and Node.js prints a warning about its code outside of node_modules.
  /^tus-js-client$/,
  // Its main file loads others in a way that a bundle cannot follow.
  /^jsonc-parser$/,
  // pg loads it only if its user asks for it.
  /^pg-native$/,
];

/**
 * @param input paths of the entry points by the names of their files
 * @param folder folder that the bundle is in when it runs
 */
export function inputOptions(input: Readonly<Record<string, string>>, folder: string): InputOptions {
  return {
    input: { ...input },
    platform: 'node',
    external: EXTERNAL,
    plugins: [sourceLocations(folder), asciiOutput()],
    checks: { eval: false },
    // The bundler takes calls such as decodeURIComponent() for free of effects, although they throw for wrong input, and
    // would remove those whose result is not used.
    treeshake: false,
  };
}

/** @param dir folder that the bundle is written into */
export function outputOptions(dir: string): OutputOptions {
  return {
    dir,
    format: 'esm',
    // The default removes code like the option above.
    minify: false,
    comments: LICENSES_ONLY,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  };
}
