/** `greenroom functions list` and `versions`. */
import { relative } from 'node:path';
import { findFunctions } from '@greenroom/project';
import { readProject } from '../read-project.ts';
import type { ProjectOptions } from '../settings.ts';
import { tableLines } from '../table-lines.ts';
import type { InstanceChoice } from './instance-options.ts';
import { type ManagementApi, openManagementApi } from './management-api.ts';

/** A function of an instance. */
export interface ListedFunction {
  name: string;
  source: 'project' | 'deployed';
  /** Whether it is served, and not one of the same name and of the other source. */
  active: boolean;
  verify_jwt: boolean;
  version: number | null;
  updated_at: string | null;
}

type Format = 'pretty' | 'json';

/** Options of {@link listFunctions}. */
interface ListOptions {
  format: Format;
  instance: InstanceChoice;
}

/** Returns a line for each function, or one JSON text. Without a running instance, those of the project. */
export async function listFunctions(
  { format, instance }: ListOptions,
  project: ProjectOptions,
): Promise<string[]> {
  const rows = instance.url === undefined ? await localRows(project) : await remoteRows(instance, project);
  if (format === 'json') return [JSON.stringify(rows, undefined, 2)];
  if (rows.length === 0) return ['no functions. Create one: greenroom functions new <name>'];
  return tableLines([
    ['NAME', 'SOURCE', 'VERSION', 'UPDATED', 'TOKEN', 'FILE'],
    ...rows.map((row) => [
      row.name,
      row.active ? row.source : `${row.source} (not served)`,
      row.version === null ? '-' : String(row.version),
      row.updated_at === null ? '-' : timeText(row.updated_at),
      row.verify_jwt ? 'required' : 'not required',
      row.entrypoint ?? '-',
    ]),
  ]);
}

type Row = ListedFunction & { entrypoint?: string };

async function remoteRows(instance: InstanceChoice, project: ProjectOptions): Promise<Row[]> {
  const api = await openManagementApi(instance, project);
  return listOf(api);
}

function listOf(api: ManagementApi): Promise<Row[]> {
  return api.json({ method: 'GET', path: 'functions' });
}

async function localRows(project: ProjectOptions): Promise<Row[]> {
  const { toRun } = await readProject(project);
  const found = await findFunctions(toRun.project, toRun.functions?.declared);
  const listed = await runningList(project);
  const ofProject = found.map(({ name, verifiesJwt, entry }) => ({
    name,
    source: 'project' as const,
    active: listed?.find((row) => row.name === name && row.source === 'project')?.active ?? true,
    verify_jwt: verifiesJwt,
    version: null,
    updated_at: null,
    entrypoint: relative(toRun.project.folder, entry),
  }));
  const deployed = (listed ?? []).filter(({ source }) => source === 'deployed');
  return [...ofProject, ...deployed].sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

/** Returns the list of the local instance; undefined if none responds. */
async function runningList(project: ProjectOptions): Promise<ListedFunction[] | undefined> {
  try {
    return await listOf(await openManagementApi({ url: undefined, 'secret-key': undefined }, project));
  } catch {
    return undefined;
  }
}

interface Version {
  version: number;
  hash: string;
  verify_jwt: boolean;
  files: number;
  bytes: number;
  created_at: string;
  active: boolean;
}

/** Returns a line for each version of a function, or one JSON text. */
export async function listVersions(
  name: string,
  { format, instance }: ListOptions,
  project: ProjectOptions,
): Promise<string[]> {
  const api = await openManagementApi(instance, project);
  const versions = await api.json<Version[]>({ method: 'GET', path: `functions/${pathOf(name)}/versions` });
  if (format === 'json') return [JSON.stringify(versions, undefined, 2)];
  return tableLines([
    ['VERSION', 'DEPLOYED', 'FILES', 'SIZE', 'TOKEN', 'HASH', 'STATUS'],
    ...versions.map((row) => [
      String(row.version),
      timeText(row.created_at),
      String(row.files),
      `${(row.bytes / 1000).toFixed(1)} kB`,
      row.verify_jwt ? 'required' : 'not required',
      row.hash.slice(0, 12),
      row.active ? 'served' : '',
    ]),
  ]);
}

/** Returns the name of a function as part of a path. */
export function pathOf(name: string): string {
  return encodeURIComponent(name);
}

/** Returns a time in UTC, to the second. */
function timeText(time: string): string {
  return `${time.slice(0, 19).replace('T', ' ')}Z`;
}
