/**
 * `[remotes.<name>]` of config.toml: tables that override the keys of the file for one remote project, e.g. its staging
 * branch.
 */
import type { ConfigValue } from '@greenroom/config';
import { type ConfigDocument, ConfigFileError, type ConfigTable, isTable } from './document.ts';

/** The id of a hosted project. */
const PROJECT_ID = /^[a-z]{20}$/;

/** The choice of a remote. */
export interface RemoteChoice {
  /** Name or project id, from the command line. */
  remote?: string | undefined;
  /** Project id of this folder, if it is not that of the file. */
  projectId?: string | undefined;
}

/** A remote of the file. */
interface Remote {
  name: string;
  projectId: string;
  overrides: ConfigTable;
}

/**
 * Returns the document with the values of the chosen remote: that of the command line, or the one with the project id of
 * this folder. Otherwise, or without remotes, the values are those of the file itself. A remote switches seeding off
 * unless it says otherwise, so that seeds of development do not reach a remote project.
 * @throws ConfigFileError if a remote is invalid, or the chosen one does not exist
 */
export function withRemote(document: ConfigDocument, choice: RemoteChoice): ConfigDocument {
  const { remotes: _, ...base } = document.values;
  const chosen = chooseRemote(document, choice);
  if (chosen === undefined) return { ...document, values: base };
  const withoutSeeds = merge(base, { db: { seed: { enabled: false } } });
  const { project_id: id = chosen.projectId, ...overrides } = chosen.overrides;
  const placeOf = (path: readonly string[]) => {
    const overridden = ['remotes', chosen.name, ...path];
    return document.placeOf(hasPath(chosen.overrides, path) ? overridden : path);
  };
  return { ...document, values: merge(withoutSeeds, { project_id: id, ...overrides }), placeOf };
}

function chooseRemote(document: ConfigDocument, { remote, projectId }: RemoteChoice): Remote | undefined {
  const remotes = remotesOf(document);
  if (remote !== undefined) {
    const found = remotes.find((each) => each.name === remote || each.projectId === remote);
    if (found) return found;
    const names = remotes.map(({ name }) => name).join(', ') || 'none';
    throw new ConfigFileError(`${document.path} has no remote "${remote}". Remotes of the file: ${names}.`);
  }
  const own = projectId ?? document.values.project_id;
  return remotes.find((each) => each.projectId === own);
}

function remotesOf(document: ConfigDocument): Remote[] {
  const { remotes } = document.values;
  if (remotes === undefined) return [];
  if (!isTable(remotes)) {
    throw new ConfigFileError(`${document.placeOf(['remotes'])}: remotes must be tables [remotes.<name>].`);
  }
  const list = Object.entries(remotes).map(([name, overrides]) => remoteOf(document, name, overrides));
  const duplicate = list.find(
    (each, index) => list.findIndex((other) => other.projectId === each.projectId) < index,
  );
  if (duplicate) {
    const place = document.placeOf(['remotes', duplicate.name, 'project_id']);
    throw new ConfigFileError(`${place}: another remote has the project_id "${duplicate.projectId}", too.`);
  }
  return list;
}

function remoteOf(document: ConfigDocument, name: string, overrides: ConfigValue): Remote {
  const id = isTable(overrides) ? overrides.project_id : undefined;
  if (isTable(overrides) && typeof id === 'string' && PROJECT_ID.test(id)) {
    return { name, projectId: id, overrides };
  }
  const place = document.placeOf(['remotes', name, 'project_id']);
  throw new ConfigFileError(
    `${place}: remotes.${name}.project_id must be the id of a hosted project, 20 letters from a to z.`,
  );
}

function hasPath(table: ConfigTable, [key = '', ...rest]: readonly string[]): boolean {
  if (!Object.hasOwn(table, key)) return false;
  const value = table[key];
  return rest.length === 0 || !isTable(value) || hasPath(value, rest);
}

/** Merges tables key by key; all other values replace those of the base. */
function merge(base: ConfigTable, overrides: ConfigTable): ConfigTable {
  const merged: Record<string, ConfigValue> = { ...base };
  for (const [key, value] of Object.entries(overrides)) {
    const own = merged[key];
    merged[key] = isTable(own) && isTable(value) ? merge(own, value) : value;
  }
  return merged;
}
