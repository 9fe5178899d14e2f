/** The import map of a prepared function: that of its project, and replacements for modules of the network. */
import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { StartFailure } from '../start-failure.ts';

/** The parts of `deno.json` or an import map that concern a function. */
export interface ImportConfig {
  imports: Readonly<Record<string, string>>;
  scopes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  compilerOptions: Readonly<Record<string, unknown>> | undefined;
}

const NONE: ImportConfig = { imports: {}, scopes: {}, compilerOptions: undefined };

/** Reads a file. `deno.json` may name a separate import map. Rejects with {@link StartFailure} if it is not valid. */
export async function readImportConfig(path: string | undefined): Promise<ImportConfig> {
  if (path === undefined) return NONE;
  const config = await readJson(path);
  const { importMap, ...own } = config;
  if (typeof importMap !== 'string' || own.imports !== undefined)
    return { ...NONE, ...withAbsolute(own, path) };
  const named = resolve(dirname(path), importMap);
  return { ...NONE, ...withAbsolute(await readJson(named), named), compilerOptions: own.compilerOptions };
}

/** Returns the paths of the files that {@link readImportConfig} reads. */
export async function importConfigFiles(path: string | undefined): Promise<string[]> {
  if (path === undefined) return [];
  const { importMap, imports } = await readJson(path);
  if (typeof importMap !== 'string' || imports !== undefined) return [path];
  return [path, resolve(dirname(path), importMap)];
}

type RawConfig = Partial<ImportConfig> & { importMap?: unknown };

async function readJson(path: string): Promise<RawConfig> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new StartFailure(`the import map cannot be read: ${error.message}`);
  });
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined)
    throw new StartFailure(`${path}: ${printParseErrorCode(error.error)} at ${error.offset}`);
  return (typeof value === 'object' && value !== null ? value : {}) as RawConfig;
}

/** Relative addresses are relative to the file that contains them. */
function withAbsolute(
  { imports = {}, scopes = {}, compilerOptions }: RawConfig,
  path: string,
): Partial<ImportConfig> {
  const absolute = (entries: Readonly<Record<string, string>>) =>
    mapValues(entries, (address) =>
      /^\.{1,2}\//.test(address)
        ? resolve(dirname(path), address) + (address.endsWith('/') ? sep : '')
        : address,
    );
  return { imports: absolute(imports), scopes: mapValues(scopes, absolute), compilerOptions };
}

/** Returns the configuration with replaced addresses, given the replacements by address. */
export function withReplacements(
  { imports, scopes, compilerOptions }: ImportConfig,
  replacements: Readonly<Record<string, string>>,
): ImportConfig {
  const replace = (address: string) => replacements[address] ?? address;
  return {
    imports: mapValues(imports, replace),
    scopes: mapValues(scopes, (entries) => mapValues(entries, replace)),
    compilerOptions,
  };
}

/** Returns the configuration for a copy: files below `from` have their places below `./{to}/`. */
export function movedTo(
  { imports, scopes, compilerOptions }: ImportConfig,
  { from, to }: { from: string; to: string },
): ImportConfig {
  const moved = (address: string) => {
    if (!address.startsWith(sep)) return address;
    const path = relative(from, address).split(sep).join('/');
    return `./${to}/${path}${address.endsWith(sep) && path !== '' ? '/' : ''}`;
  };
  return {
    imports: mapValues(imports, moved),
    scopes: mapValues(scopes, (entries) => mapValues(entries, moved)),
    compilerOptions,
  };
}

function mapValues<T, U>(entries: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, change(value)]));
}
