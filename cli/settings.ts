/**
 * The settings of a command, from all sources. A source overrides those after it: the command line, the environment,
 * env files, settings that earlier starts have remembered, the config.toml of the project, defaults.
 */
import { join, relative, resolve } from 'node:path';
import {
  ConfigError,
  type ConfigProblem,
  type ConfigSource,
  combineLayers,
  ENVIRONMENT,
  type Layer,
  type LayeredSource,
  layerOf,
  loadDotEnv,
  withOrigins,
  withoutReplacedDefaults,
} from '@greenroom/config';
import { CONFIG_FILES, type Product, readProduct } from '@greenroom/product';
import { dataParentOf, type EnvFile, findProject, loadEnvFiles, type Project } from '@greenroom/project';
import type { ConfigFile } from '@greenroom/project/config-file';
import { allSettings, type Config, loadConfig } from '@greenroom/server/settings';
import { isProjectVariable, noteAppVariables } from './app-variables.ts';
import { type RememberedValues, readRememberedValues } from './remembered-values.ts';
import { removedSettings } from './removed-settings.ts';

/** Options of all commands. */
export interface ProjectOptions {
  /** Folder of the project. Default: the current folder, if it is a project. */
  project?: string | undefined;
  /** Name or id of the remote whose values of config.toml apply. */
  remote?: string | undefined;
  /** Settings of the command line. */
  flags?: ConfigSource;
  /**
   * Returns the names of settings that apply from the command line only; receives the values of all other sources.
   * Default: none.
   */
  without?: (source: ConfigSource) => readonly string[];
}

/** All settings as text, with their origins. */
export interface Settings extends LayeredSource {
  /** Undefined if the command runs without a project. */
  project: Project | undefined;
  /** Undefined if the folder of the project has no `greenroom.config.ts`. */
  product: Product | undefined;
  /** Undefined if the project has no config.toml. */
  configFile: ConfigFile | undefined;
  /** Values that earlier starts have remembered in the data folder, as far as they apply. */
  remembered: RememberedValues;
  warnings: readonly string[];
  /** Facts about the sources that need no action. `greenroom config` prints them; a start does not. */
  notes: readonly string[];
}

/** The only setting that greenroom.config.ts can have. */
const REDIRECTS = 'GREENROOM_REDIRECTS';
const EMPTY: Layer = new Map();
/** `auth.site_url`, whose default in config.toml is a front end on another port. */
const SITE_URL = 'GOTRUE_SITE_URL';

/**
 * Reads all settings as text.
 * @throws ConfigError with the wrong values of config.toml that cannot be converted to text
 */
export async function readSettings(options: ProjectOptions = {}): Promise<Settings> {
  const project = await projectOf(options);
  const environment = layerOf(process.env, ENVIRONMENT);
  const flags = layerOf(options.flags ?? {}, 'command line');
  const envFiles = project ? await loadEnvFiles(project, process.env.SUPABASE_ENV) : [];
  const ownFile = layerOf(await ownEnvFile(project), '.env');
  const ownLayers = [flags, environment, ...envFiles.map(settingsOfEnvFile), ownFile];
  const product = await readProduct(project?.folder ?? resolve('.'));
  const given = [...ownLayers, ofProductFile(product, ownLayers)];
  const references = new Set<string>();
  const configFile =
    project && (await readProjectFile(project, [environment, ownFile], envFiles, options, references));
  const ofFile = configFile?.values ?? EMPTY;
  const keep = without([...given.slice(1), ofFile], options);
  const layers = [flags, ...given.slice(1).map(keep)];
  const fileDefaults = configFile ? defaultsOf(configFile, product) : EMPTY;
  const defaults = withoutReplacedDefaults(fileDefaults, layers, allSettings);
  const ofProject = [ofFile, await dataFolderOf(project), defaults].map(keep);
  const remembered = await readRememberedValues(layers, ofProject);
  const layered = combineLayers([...layers, keep(remembered), ...ofProject], allSettings);
  if (configFile && configFile.problems.length > 0) {
    throw new ConfigError([...configFile.problems, ...otherProblems(layered)]);
  }
  const warnings = [...(configFile?.warnings ?? []), ...removedSettings(ownLayers)];
  const isKnown = (name: string) => references.has(name) || Boolean(environment.get(name)?.text);
  const notes = envFiles.flatMap((file) => noteAppVariables(file, isKnown));
  return { ...layered, project, product, configFile, remembered, warnings, notes };
}

/** Reads and parses the settings. */
export async function readConfig(options?: ProjectOptions): Promise<Config> {
  const settings = await readSettings(options);
  return explained(settings, () => loadConfig(settings.source));
}

/** Runs `work`; an error about settings names the files that contain them. */
export async function explained<T>(settings: Settings, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ConfigError ? withOrigins(error, settings, allSettings) : error;
  }
}

/** Prints warnings about the settings, once for each start. */
export function printWarnings({ warnings }: Settings): void {
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
}

/** Returns a function that removes the settings from a layer that apply from the command line only. */
function without(others: readonly Layer[], { without: namesOf }: ProjectOptions): (layer: Layer) => Layer {
  if (namesOf === undefined) return (layer) => layer;
  const names = new Set(namesOf(combineLayers(others, allSettings).source));
  return (layer) => new Map([...layer].filter(([name]) => !names.has(name)));
}

async function projectOf({ project: named }: ProjectOptions): Promise<Project | undefined> {
  const found = await findProject(named ?? '.');
  if (found === undefined && named !== undefined) {
    throw new Error(
      `${resolve(named)} is not a project: it has neither supabase/config.toml nor supabase/migrations.`,
    );
  }
  return found;
}

/** Reads `.env` of the current folder, unless it belongs to the project. */
async function ownEnvFile(project: Project | undefined): Promise<ConfigSource> {
  return project?.folder === resolve('.') ? {} : loadDotEnv('.env');
}

function settingsOfEnvFile({ name, values }: EnvFile): Layer {
  const own = Object.entries(values).filter(([variable]) => isProjectVariable(variable));
  return layerOf(Object.fromEntries(own), name);
}

/** Reads config.toml; adds the names of variables that it contains by `env()` to `references`. */
async function readProjectFile(
  project: Project,
  [environment, ownFile]: readonly [Layer, Layer],
  envFiles: readonly EnvFile[],
  { remote }: ProjectOptions,
  references: Set<string>,
): Promise<ConfigFile | undefined> {
  const variable = (name: string) => {
    references.add(name);
    return [
      environment.get(name)?.text,
      ...envFiles.map(({ values }) => values[name]),
      ownFile.get(name)?.text,
    ].find((text) => text !== undefined);
  };
  // Loaded only here, because most of it is the parser.
  const { readConfigFile } = await import('@greenroom/project/config-file');
  return readConfigFile(project, {
    settings: allSettings,
    variable,
    remote,
    projectId: process.env.SUPABASE_PROJECT_ID,
  });
}

/** Returns the defaults of config.toml. The site of a product is this server. */
function defaultsOf({ defaults }: ConfigFile, product: Product | undefined): Layer {
  return product === undefined ? defaults : new Map([...defaults].filter(([name]) => name !== SITE_URL));
}

/**
 * Returns the values of greenroom.config.ts that are settings. Throws ConfigError if another source has one of them, too:
 * otherwise one of both would have no effect.
 */
function ofProductFile(product: Product | undefined, others: readonly Layer[]): Layer {
  const { redirects } = product?.config ?? {};
  if (redirects === undefined) return new Map();
  const text = Object.entries(redirects)
    .map(([from, to]) => `${from}=${to}`)
    .join(',');
  const other = others.map((layer) => layer.get(REDIRECTS)).find((value) => value?.text);
  const origin = product?.configFile ?? CONFIG_FILES[0];
  if (other) {
    const allowed = `the redirects in one place; the key redirects of ${origin} has some, too`;
    throw new ConfigError([{ origin: other.origin, name: REDIRECTS, value: other.text, allowed }]);
  }
  return new Map([[REDIRECTS, { text, origin, written: { name: 'redirects', value: text } }]]);
}

/** The data folder of a project is in its folder, or in that of the package which names it. */
async function dataFolderOf(project: Project | undefined): Promise<Layer> {
  if (project === undefined) return EMPTY;
  const path = relative('.', join(await dataParentOf(project), '.greenroom'));
  return layerOf({ GREENROOM_DATA_DIR: path }, 'folder of the project');
}

/** Returns the problems of all settings that have a text, so that one error lists all of them. */
function otherProblems(layered: LayeredSource): readonly ConfigProblem[] {
  try {
    loadConfig(layered.source);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return withOrigins(error, layered, allSettings).problems;
    throw error;
  }
}
