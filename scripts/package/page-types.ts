/** The types of the exports for pages: a tree of declaration files, because there is an export for each part of a page. */
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { promisify } from 'node:util';
import { declarationOf, declare, workspaceEntries } from './declarations.ts';
import { pageExports } from './exports.ts';
import { ROOT } from './root.ts';

const run = promisify(execFile);
/** Types of the arguments of routes, which the router generates. The routes import them from their own folder. */
const GENERATED = 'app/.react-router/types/';
/** Types that no module imports. */
const AMBIENT = 'app/browser.d.ts';
/** The name of a workspace in `from '…'` and `import('…')`. */
const WORKSPACE = /(?<=\bfrom\s*|\bimport\s*\(?\s*)(['"])(@greenroom\/[^'"]+)\1/g;

/** Writes the declaration files into a folder. Rejects with the messages of the compiler. */
export async function writePageTypes(into: string): Promise<void> {
  const shell = process.platform === 'win32';
  await run('react-router', ['typegen', 'app'], { cwd: ROOT, shell });
  const declared = await mkdtemp(join(tmpdir(), 'greenroom-page-types-'));
  try {
    const generated = globSync(`${GENERATED}**/*.ts`, { cwd: ROOT });
    const files = [...Object.values(pageExports()), ...generated, AMBIENT].map((file) => join(ROOT, file));
    await declare({ into: declared, files, workspace: 'app' });
    for (const path of globSync(['**/*.d.ts', `${GENERATED}**/*.d.ts`], { cwd: declared })) {
      const file = path.replaceAll('\\', '/').replace(GENERATED, 'app/');
      const content = await readFile(join(declared, path), 'utf8');
      await mkdir(dirname(join(into, file)), { recursive: true });
      await writeFile(join(into, file), withRelativeNames(content, file));
    }
  } finally {
    await rm(declared, { recursive: true, force: true });
  }
}

/** Replaces names of workspaces, which are no packages for a product. */
function withRelativeNames(content: string, file: string): string {
  const sources = workspaceEntries();
  return content.replaceAll(WORKSPACE, (_all, quote: string, name: string) => {
    const source = sources.get(name);
    if (source === undefined) throw new Error(`${file} imports ${name}, which is no workspace`);
    const path = posix.relative(posix.dirname(file), declarationOf(source).replace(/\.d\.ts$/, '.js'));
    return `${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`;
  });
}
