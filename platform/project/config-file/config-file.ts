/** Reads `supabase/config.toml` of a project: values, remote, references to variables, and warnings about its keys. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { configKeysOf, type Setting } from '@greenroom/config';
import type { Project } from '../find-project.ts';
import { type ConfigDocument, parseConfigDocument } from './document.ts';
import { type InterpolatedDocument, interpolate } from './interpolate.ts';
import { KEYS_WITHOUT_SETTING } from './keys-without-setting.ts';
import { findFormerKeys, findUnknownKeys, type KeyNames } from './known-keys.ts';
import { readProjectKeys } from './project-keys.ts';
import { type RemoteChoice, withRemote } from './remote.ts';
import { type Translation, translate } from './translate.ts';

/** Path of the file in a project, as it appears in messages. */
const CONFIG_FILE = 'supabase/config.toml';

/** Options of {@link readConfigFile}. */
export interface ConfigFileOptions extends RemoteChoice {
  /** All settings of the instance. */
  settings: readonly Setting[];
  /** Returns the value of an environment variable, also of one in an env file. */
  variable: (name: string) => string | undefined;
}

/** A config.toml and its settings. */
export interface ConfigFile extends Translation {
  document: ConfigDocument;
  /** Keys about the project itself, which are no settings. */
  projectKeys: ReturnType<typeof readProjectKeys>['keys'];
}

/**
 * Reads the file of a project; undefined if it has none.
 * @throws ConfigFileError if the file is not TOML, or a remote is invalid
 */
export async function readConfigFile(
  project: Project,
  options: ConfigFileOptions,
): Promise<ConfigFile | undefined> {
  const text = await readIfExists(join(project.folder, CONFIG_FILE));
  return text === undefined ? undefined : parseConfigFile(text, project, options);
}

/** Parses the text of a file, see {@link readConfigFile}. */
export function parseConfigFile(
  text: string,
  project: Project,
  { settings, variable, ...choice }: ConfigFileOptions,
): ConfigFile {
  const interpolated = interpolate(parseConfigDocument(text, CONFIG_FILE), variable);
  const document = { ...interpolated, ...withRemote(interpolated, choice) };
  const translation = translate(document, settings, project);
  const { keys: projectKeys, problems, warnings: projectWarnings } = readProjectKeys(document, project);
  const warnings = [...keyWarnings(document, settings), ...translation.warnings, ...projectWarnings];
  return {
    ...translation,
    document,
    projectKeys,
    problems: [...problems, ...translation.problems],
    warnings,
  };
}

/** Returns all known keys: those of settings, those that others require, and those without a setting. */
function knownKeys(settings: readonly Setting[]): KeyNames[] {
  const ofSettings = settings.flatMap((setting) => configKeysOf(setting));
  const required = ofSettings.flatMap(({ requires }) => (requires === undefined ? [] : [{ key: requires }]));
  return [...ofSettings, ...required, ...KEYS_WITHOUT_SETTING];
}

function keyWarnings(document: InterpolatedDocument, settings: readonly Setting[]): string[] {
  const known = knownKeys(settings);
  const unknown = findUnknownKeys(document, known).map(({ path, nearest }) => {
    const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
    return `${document.placeOf(path)}: the key ${path.join('.')} is unknown and has no effect.${hint}`;
  });
  const former = findFormerKeys(document, known).map(
    ({ path, current }) => `${path.join('.')} (now ${current})`,
  );
  return [
    ...unknown,
    ...(former.length > 0 ? [`${document.path} uses old spellings: ${former.join(', ')}`] : []),
  ];
}

async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new Error(`${CONFIG_FILE} cannot be read: ${message}`, { cause: error });
  }
}
