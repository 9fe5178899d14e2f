/**
 * Keeps the location of modules that find files relative to themselves, such as migrations: in a bundle, `import.meta.url`
 * is that of the source module, and not that of the bundle.
 */
import { dirname, relative, sep } from 'node:path';
import type { Plugin } from 'rolldown';

/** @param folder folder that the bundle is in when it runs */
export function sourceLocations(folder: string): Plugin {
  const urlOf = (path: string) =>
    `new URL(${JSON.stringify(relative(folder, path).split(sep).join('/'))}, import.meta.url)`;
  return {
    name: 'source-locations',
    transform: {
      filter: { id: { include: /\.ts$/, exclude: /node_modules/ }, code: /import\.meta\.(url|dirname)/ },
      handler: (code, id) => ({
        code: code
          .replaceAll('import.meta.url', `${urlOf(id)}.href`)
          .replaceAll(
            'import.meta.dirname',
            `process.getBuiltinModule('node:url').fileURLToPath(${urlOf(dirname(id))})`,
          ),
        // Source maps stay valid: every line stays where it is.
        map: null,
      }),
    },
  };
}
