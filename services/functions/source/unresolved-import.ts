/** Describes imports that lead to no module, to the authors of functions: mistakes in import maps and in specifiers. */
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The place of an import in its file. Lines and characters begin at 0. */
export interface Span {
  start: { line: number; character: number };
}

/** Where an import is. */
interface Place {
  /** URL of the file. */
  file: string;
  span: Span | undefined;
  /** Path of the module of the function. */
  entry: string;
}

/** Messages of Deno about specifiers. Messages about modules that a host does not have are none of them. */
const UNRESOLVED =
  /^(?:error: )?(?:Failed to resolve the specifier|Import "[^"]*" not a dependency|Relative import path|Blocked by null entry|Invalid package specifier)/m;

/** A package in an import map: below it, the scheme needs a slash to be a URL that has a path. */
const PACKAGE_PREFIX =
  /URL prefix "(?<scheme>jsr|npm):(?<path>[^/"][^"]*)" mapped to by the prefix "(?<key>[^"]+)"/;
const BARE = /^(?:Import|Relative import path) "(?<name>[^"]+)"/;

/** Returns whether an output of Deno reports an import that leads to no module. */
export function isUnresolved(output: string): boolean {
  return UNRESOLVED.test(output);
}

/** Returns the message of Deno with the place of the import, and how to correct it where that is known. */
export function describeUnresolved(error: string, { file, span, entry }: Place): string {
  const message = error.replaceAll('""', '"');
  const path = relative(dirname(dirname(entry)), fileURLToPath(file));
  const position = span && `:${span.start.line + 1}:${span.start.character + 1}`;
  const advice = adviceOf(message);
  return `${message}\n    at ${path}${position ?? ''}${advice === undefined ? '' : `\n${advice}`}`;
}

function adviceOf(message: string): string | undefined {
  const { scheme, path, key } = PACKAGE_PREFIX.exec(message)?.groups ?? {};
  if (key !== undefined)
    return `In the import map, write a slash after the scheme: "${key}": "${scheme}:/${path}"`;
  const name = BARE.exec(message)?.groups?.name;
  return name && `Import npm:${name} for the package of npm, or add "${name}" to the import map.`;
}
