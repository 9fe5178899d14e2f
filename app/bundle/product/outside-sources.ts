/**
 * Modules of a build outside of the product's folder `app/`, such as code that it shares with functions. They are known only when
 * the bundler has followed all imports, so a list in the build names them.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { productAppFolder } from './product-folder.ts';

/** Name of the list in the folder of a build. */
const LIST = 'outside-sources.json';
const APP = resolve(import.meta.dirname, '..', '..').replaceAll('\\', '/');

/** Plugin for builds. It runs for browsers and for servers, and adds the modules of both. */
export function recordOutsideSources(): Plugin {
  const product = productAppFolder();
  const build = process.env.GREENROOM_APP_BUILD;
  return {
    name: 'outside-sources',
    apply: 'build',
    async buildEnd(error) {
      if (error || product === undefined || build === undefined) return;
      const files = [...this.getModuleIds()].map((id) => id.split('?', 1)[0]?.replaceAll('\\', '/') ?? '');
      const found = files
        .filter((file) => isAbsolute(file) && !file.includes('/node_modules/'))
        .filter((file) => ![APP, product].some((folder) => file.startsWith(`${folder}/`)))
        .map((file) => relative(dirname(product), file).replaceAll('\\', '/'));
      await mkdir(build, { recursive: true });
      const all = new Set([...(await readOutsideSources(build)), ...found]);
      await writeFile(join(build, LIST), JSON.stringify([...all].sort()));
    },
  };
}

/** Returns the paths relative to the folder of the product; none if the folder contains no build. */
export async function readOutsideSources(build: string): Promise<readonly string[]> {
  const text = await readFile(join(build, LIST), 'utf8').catch(() => '[]');
  return JSON.parse(text) as string[];
}
