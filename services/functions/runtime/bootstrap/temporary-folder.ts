/**
 * Leads `/tmp`, the folder of temporary files on the hosted platform, to the folder of the process: other processes of the
 * machine have files in the real one. Functions of Deno are replaced; `node:os` returns the folder of the process anyway.
 */
import { deno } from './deno.ts';

/** Functions whose first argument is a path. Each has a synchronous form, too. */
const OF_ONE_PATH = [
  'create',
  'lstat',
  'mkdir',
  'open',
  'readDir',
  'readFile',
  'readTextFile',
  'realPath',
  'remove',
  'stat',
  'truncate',
  'writeFile',
  'writeTextFile',
];

/** Functions whose first and second arguments are paths. */
const OF_TWO_PATHS = ['copyFile', 'rename'];

type FileFunction = (...args: unknown[]) => unknown;

/** Replaces the functions. `folder` is that of the process. */
export function replaceTemporaryFolder(folder: string): void {
  const functions = deno as unknown as Record<string, FileFunction>;
  const replace = (name: string, paths: number) => {
    const original = functions[name];
    if (original === undefined) return;
    const replacement: FileFunction = (...args) =>
      original(...args.map((value, index) => (index < paths ? movedTo(folder, value) : value)));
    functions[name] = replacement;
  };
  for (const name of OF_ONE_PATH) for (const each of [name, `${name}Sync`]) replace(each, 1);
  for (const name of OF_TWO_PATHS) for (const each of [name, `${name}Sync`]) replace(each, 2);
}

/** The folder of the process may be below `/tmp`. */
function movedTo(folder: string, path: unknown): unknown {
  const isFile = path instanceof URL && path.protocol === 'file:';
  const text = isFile ? decodeURIComponent(path.pathname) : path;
  if (typeof text !== 'string' || !/^\/tmp(?:\/|$)/.test(text) || text.startsWith(folder)) return path;
  return folder + text.slice('/tmp'.length);
}
