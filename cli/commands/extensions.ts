/** `greenroom extensions list | add | remove`: manages the files of extensions of the embedded PostgreSQL. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type AddedExtensions,
  addExtensions,
  type ExtensionPlaces,
  listExtensions,
  removeExtension,
} from '@greenroom/postgres';
import type { Project } from '@greenroom/project';
import { extensionPlaces } from '@greenroom/server/extension-places';
import { type Config, loadConfig } from '@greenroom/server/settings';
import { collectSources } from '../extensions/collect-sources.ts';
import { explained, type ProjectOptions, readSettings } from '../settings.ts';

/** Prints the output of {@link runExtensionsCommand}. */
export async function extensions(args: string[], options: ProjectOptions): Promise<number> {
  const settings = await readSettings(options);
  const config = await explained(settings, () => loadConfig(settings.source));
  const lines = await runExtensionsCommand({ ...config, project: settings.project }, args);
  for (const line of lines) process.stdout.write(`${line}\n`);
  return 0;
}

/** Runs `list`, `add <source>...` or `remove <name>`; returns the lines to print. */
export async function runExtensionsCommand(
  instance: Pick<Config, 'databaseUrl' | 'dataDirectory'> & { project: Project | undefined },
  args: string[],
): Promise<string[]> {
  const { positionals } = parseArgs({ args, options: {}, allowPositionals: true });
  const [action = 'list', ...operands] = positionals;
  if (instance.databaseUrl !== undefined) {
    throw new Error(
      'DATABASE_URL is set: its server has extensions of its own. Install them there with the tools of that server.',
    );
  }
  const places = extensionPlaces(instance.dataDirectory, instance.project);
  const [first, ...others] = operands;
  if (action === 'list' && first === undefined) return list(places);
  if (action === 'add' && first !== undefined) return add(places, operands);
  if (action === 'remove' && first !== undefined && others.length === 0) return remove(places, first);
  throw new Error(
    `unknown command "extensions ${positionals.join(' ')}". Use extensions list, extensions add <source>... or extensions remove <name>.`,
  );
}

async function list(places: ExtensionPlaces): Promise<string[]> {
  const listed = await listExtensions(places);
  const width = Math.max(...listed.map(({ name }) => name.length));
  return listed.map(({ name, version, source }) => `${name.padEnd(width)}  ${version.padEnd(11)}  ${source}`);
}

async function add(places: ExtensionPlaces, sources: readonly string[]): Promise<string[]> {
  const temporary = await mkdtemp(join(tmpdir(), 'greenroom-extensions-'));
  try {
    const folder = await collectSources(sources, temporary);
    return describe(await addExtensions(places, folder), places.added);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

function describe({ extensions, libraries, warnings }: AddedExtensions, folder: string): string[] {
  return [
    ...extensions.map(
      ({ name, version }) => `Added ${name} ${version}. To use it: create extension "${name}"`,
    ),
    ...libraries.map((name) => `Added the library ${name}.`),
    ...warnings.map((warning) => `Note: ${warning}`),
    ...(warnings.length > 0
      ? ['A library that must be preloaded belongs into shared_preload_libraries; see docs/extensions.md.']
      : []),
    `The files are in ${folder}.`,
  ];
}

async function remove(places: ExtensionPlaces, name: string): Promise<string[]> {
  const files = await removeExtension(places, name);
  return [
    `Removed ${files.join(', ')}.`,
    `A database that uses ${name} needs its files. To remove it there: drop extension "${name}"`,
  ];
}
