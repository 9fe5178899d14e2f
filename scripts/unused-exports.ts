/** Finds exports that no other file imports, including tests. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';
import { type Entries, entryPoints, GENERATED } from './import-graph.ts';

/**
 * Files whose exports are used by the bundler, a tool, functions or programs of users: pages, entries of the build and of the
 * package, files of the demo that replace those of the app, and configurations.
 */
const FOR_TOOLS =
  /^app\/(product\/index\.|routes\/|root\.tsx|entry\.|routes\.ts|[\w.-]*config\.ts|constants\.ts)|^demo\/(greenroom\.config\.ts|app\/(routes\/|hooks\.server\.ts|shell\/|texts\/unsent-changes\.ts))|^services\/functions\/runtime\/bootstrap\/provided\/|^cli\/(test-instance\/)?index\.ts$|^[\w.-]+\.config\.ts$|\.d\.ts$/;
const NAMED = /\b(?:import|export)\s+(?:type\s+)?(?:\w+\s*,\s*)?\{([^}]*)\}\s*from\s+'([^']+)'/g;
/** `import * as x`, `export *` and `import('…')` use all exports of a file. */
const WHOLE =
  /(?:\bimport\s*\*\s*as\s+\w+\s+from|\bexport\s*\*\s*from|\bimport\s*\()\s*'([^']+)'|importOriginal<typeof import\('([^']+)'\)>/g;
const DECLARED =
  /^export (?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;
const REEXPORTED = /^export (?:type )?\{([^}]*)\} from '/gm;

/**
 * @param root the repository
 * @param folders folders with source files and tests
 * @param others entry points in addition to those of the workspaces
 * @returns `file: name` of each unused export
 */
export function unusedExports(
  root: string,
  folders: readonly string[],
  others: Entries = new Map(),
): string[] {
  const files = globSync(
    folders.map((folder) => `${folder}/**/*.{ts,tsx}`),
    { cwd: root, exclude: (path) => GENERATED.test(String(path)) },
  ).map((file) => file.replaceAll(sep, '/'));
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const entries = new Map([...entryPoints(root, folders), ...others]);
  const used = new Set<string>();
  for (const [file, text] of texts) {
    const targetOf = (target: string) =>
      target.startsWith('.') ? posix.join(dirname(file), target.replace(/\?.*$/, '')) : entries.get(target);
    for (const [, names = '', target = ''] of text.matchAll(NAMED)) {
      for (const name of namesIn(names)) used.add(`${targetOf(target)}: ${name.original}`);
    }
    for (const [, target = '', typed] of text.matchAll(WHOLE)) used.add(`${targetOf(typed ?? target)}: *`);
  }
  return [...texts].flatMap(([file, text]) =>
    FOR_TOOLS.test(file) || used.has(`${file}: *`)
      ? []
      : exportsOf(text)
          .map((name) => `${file}: ${name}`)
          .filter((name) => !used.has(name)),
  );
}

function exportsOf(text: string): string[] {
  return [
    ...[...text.matchAll(DECLARED)].map(([, name = '']) => name),
    ...[...text.matchAll(REEXPORTED)].flatMap(([, names = '']) => namesIn(names).map(({ local }) => local)),
  ];
}

/** Returns the names between the braces of an import or export: the original name, and the local one. */
function namesIn(list: string): { original: string; local: string }[] {
  return list
    .split(',')
    .map((name) => name.trim().replace(/^type /, ''))
    .filter((name) => name !== '' && !name.startsWith('//'))
    .map((name) => {
      const [original = '', local = original] = name.split(' as ');
      return { original, local };
    });
}
