/** Prints the running instances of this user on this machine. */
import { basename, dirname } from 'node:path';
import { listeningUrl } from '@greenroom/config';
import { type InstanceEntry, openRegistry, stateFolder } from '@greenroom/instances';
import { tableLines } from '../table-lines.ts';

/** Prints a table, or an array of objects. */
export async function listInstances(format: 'pretty' | 'json'): Promise<number> {
  const entries = await (await openRegistry(stateFolder())).list();
  const instances = entries
    .toSorted((one, other) => (one.startedAt < other.startedAt ? -1 : 1))
    .map(describe);
  process.stdout.write(`${RENDERERS[format](instances)}\n`);
  return 0;
}

/** An instance as it is printed. */
interface ListedInstance {
  /** Name of the project; that of the folder if the instance has no project. */
  project: string;
  /** Folder of the project; the folder that contains the data folder if the instance has no project. */
  folder: string;
  dataFolder: string;
  /** Null until the instance accepts requests. */
  url: string | null;
  /** Null with an external database. */
  databasePort: number | null;
  pid: number;
  /** ISO 8601. */
  since: string;
}

function describe({ project, dataFolder, isReady, host, port, ...entry }: InstanceEntry): ListedInstance {
  const scheme = entry.isTls ? 'https' : 'http';
  const folder = project?.folder ?? dirname(dataFolder);
  return {
    project: project?.name ?? basename(folder),
    folder,
    dataFolder,
    url: isReady && port !== undefined ? listeningUrl(host, port, scheme) : null,
    databasePort: entry.databasePort ?? null,
    pid: entry.pid,
    since: entry.startedAt,
  };
}

const RENDERERS = {
  json: (instances: readonly ListedInstance[]) => JSON.stringify(instances, null, 2),
  pretty: (instances: readonly ListedInstance[]) =>
    instances.length === 0 ? 'no instance is running' : renderTable(instances),
};

const HEADINGS = ['PROJECT', 'URL', 'DATABASE PORT', 'PID', 'SINCE', 'FOLDER'];

function renderTable(instances: readonly ListedInstance[]): string {
  const rows = instances.map(({ project, url, databasePort, pid, since, folder }) => [
    project,
    url ?? 'starting',
    String(databasePort ?? '-'),
    String(pid),
    localTime(since),
    folder,
  ]);
  return tableLines([HEADINGS, ...rows]).join('\n');
}

/** Returns a time in the time zone of the machine, e.g. `2026-11-26 14:05`. */
function localTime(iso: string): string {
  const time = new Date(iso);
  const two = (value: number) => String(value).padStart(2, '0');
  const date = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${date} ${two(time.getHours())}:${two(time.getMinutes())}`;
}
