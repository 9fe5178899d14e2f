/** Manages the files of extensions of the embedded PostgreSQL. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import { collectSources } from '../../extensions/collect-sources.ts';
import { printLines } from '../../print-lines.ts';
import { explained, type ProjectOptions, readSettings } from '../../settings.ts';

/** The instance whose extensions are managed. */
type Instance = Pick<Config, 'databaseUrl' | 'dataDirectory'> & { project: Project | undefined };

/** Reads the settings, and runs `work` with the places of the extensions. Prints the lines that it returns. */
export async function withPlaces(
  options: ProjectOptions,
  work: (places: ExtensionPlaces) => Promise<string[]>,
): Promise<number> {
  const settings = await readSettings(options);
  const config = await explained(settings, () => loadConfig(settings.source));
  printLines(await work(placesOf({ ...config, project: settings.project })));
  return 0;
}

/** Returns the folders with the files. Throws with an external database. */
export function placesOf({ databaseUrl, dataDirectory, project }: Instance): ExtensionPlaces {
  if (databaseUrl === undefined) return extensionPlaces(dataDirectory, project);
  throw new Error(
    'DATABASE_URL is set: its server has extensions of its own. Install them there with the tools of that server.',
  );
}

/** Returns a line for each extension. */
export async function list(places: ExtensionPlaces): Promise<string[]> {
  const listed = await listExtensions(places);
  const width = Math.max(...listed.map(({ name }) => name.length));
  return listed.map(({ name, version, source }) => `${name.padEnd(width)}  ${version.padEnd(11)}  ${source}`);
}

/** Adds the files of extensions; returns the lines to print. */
export async function add(places: ExtensionPlaces, sources: readonly string[]): Promise<string[]> {
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

/** Removes the files of an added extension; returns the lines to print. */
export async function remove(places: ExtensionPlaces, name: string): Promise<string[]> {
  const files = await removeExtension(places, name);
  return [
    `Removed ${files.join(', ')}.`,
    `A database that uses ${name} needs its files. To remove it there: drop extension "${name}"`,
  ];
}
