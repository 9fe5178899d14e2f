/** Installs, removes and shows the systemd service of an instance. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { lchown, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { arePagesBuilt } from '../ensure-built.ts';
import { printLines } from '../print-lines.ts';
import { type ProjectOptions, readConfig, readSettings } from '../settings.ts';
import { systemctl } from './systemctl.ts';
import { type UnitOptions, unitText } from './unit.ts';

const NAME = /^[a-zA-Z0-9][\w.@-]{0,60}$/;
const FIRST_OPEN_PORT = 1024;
/** PostgreSQL requires that others cannot read the folder. */
const DATA_FOLDER_MODE = 0o711;

/** Options of all commands. */
interface ServiceOptions {
  name: string;
  /** Folder of units. */
  folder: string;
}

/** Options of {@link installService}. */
interface InstallOptions extends ServiceOptions {
  /** Default: the owner of the project's folder. */
  user: string | undefined;
  /** Whether to print the unit instead of installing it. */
  isPrinted: boolean;
}

/** Writes the unit, enables and starts it; or prints it. */
export async function installService(options: InstallOptions, project: ProjectOptions): Promise<number> {
  const { folder, isPrinted } = options;
  const name = requireName(options.name);
  const unit = await unitOf({ ...options, name }, project);
  if (isPrinted) {
    process.stdout.write(unitText(unit));
    return 0;
  }
  await requireBuiltPages(project);
  await createDataFolder(unit);
  const path = join(folder, `${name}.service`);
  await writeFile(path, unitText(unit), { mode: 0o644 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EACCES') throw error;
    throw new Error(`${path} cannot be written. Run the command as root, e.g. with sudo.`, { cause: error });
  });
  await systemctl('daemon-reload');
  await systemctl('enable', '--now', `${name}.service`);
  printLines([
    `wrote ${path}`,
    `started ${name} as the user ${unit.user}; log: journalctl -u ${name} -f`,
    `variables: ${unit.environmentFile} (mode 600)`,
  ]);
  return 0;
}

async function requireBuiltPages(project: ProjectOptions): Promise<void> {
  if (await arePagesBuilt((await readSettings(project)).product)) return;
  throw new Error(
    'the pages are not built, and the service may not write them. Run "greenroom build" first.',
  );
}

/** Stops the service and removes the unit; the data stays. */
export async function uninstallService({ name, folder }: ServiceOptions): Promise<number> {
  const path = join(folder, `${requireName(name)}.service`);
  if (!existsSync(path)) throw new Error(`there is no service ${name}: ${path} does not exist.`);
  await systemctl('disable', '--now', `${name}.service`);
  await rm(path);
  await systemctl('daemon-reload');
  printLines([`removed ${path}; the data folder is unchanged`]);
  return 0;
}

const SHOWN = ['ActiveState', 'SubState', 'UnitFileState', 'MainPID', 'NRestarts'];

/** Prints the state of the service. Returns 3, as `systemctl status` does, unless it is active. */
export async function printServiceStatus({ name, folder }: ServiceOptions): Promise<number> {
  const path = join(folder, `${requireName(name)}.service`);
  if (!existsSync(path)) {
    printLines([`${name} is not installed`]);
    return 3;
  }
  const output = await systemctl('show', `${name}.service`, `--property=${SHOWN.join(',')}`);
  const values = new Map(
    output
      .trim()
      .split('\n')
      .map((line) => line.split('=', 2) as [string, string]),
  );
  printLines([
    `unit      ${path}`,
    `state     ${values.get('ActiveState')} (${values.get('SubState')})`,
    `at boot   ${values.get('UnitFileState')}`,
    `pid       ${values.get('MainPID')}`,
    `restarts  ${values.get('NRestarts')}`,
  ]);
  return values.get('ActiveState') === 'active' ? 0 : 3;
}

function requireName(name: string): string {
  if (NAME.test(name)) return name;
  throw new Error(
    `--name=${JSON.stringify(name)} is not allowed. Allowed: letters, digits and ".", "-", "_", "@", beginning with a letter or digit.`,
  );
}

async function unitOf({ name, user }: InstallOptions, options: ProjectOptions): Promise<UnitOptions> {
  const { project } = await readSettings(options);
  const { dataDirectory, port, tls } = await readConfig(options);
  const ports = tls?.kind === 'obtained' ? [port, tls.plainPort] : [port];
  const projectFolder = project?.folder ?? resolve('.');
  return {
    name,
    user: user ?? (await ownerOf(projectFolder)),
    projectFolder,
    dataFolder: resolve(dataDirectory),
    command: [process.execPath, programPath(projectFolder), 'start'],
    environmentFile: `/etc/greenroom/${name}.env`,
    needsLowPort: ports.some((each) => each > 0 && each < FIRST_OPEN_PORT),
  };
}

/** The installed command is at the same place after an update; otherwise the program that runs now. */
function programPath(projectFolder: string): string {
  const installed = join(projectFolder, 'node_modules/.bin/greenroom');
  return existsSync(installed) ? installed : resolve(process.argv[1] ?? '');
}

async function ownerOf(folder: string): Promise<string> {
  const { uid } = await stat(folder);
  if (uid !== 0) return nameOf(uid);
  throw new Error(
    `${folder} belongs to root, and the service must not run as root. Create a user and name it: ` +
      'useradd --system greenroom, then --user greenroom.',
  );
}

async function nameOf(uid: number): Promise<string> {
  const { stdout } = await promisify(execFile)('id', ['-un', String(uid)]);
  return stdout.trim();
}

/** Created here, because the service cannot write to the folder around it. */
async function createDataFolder({ dataFolder, user }: UnitOptions): Promise<void> {
  if (existsSync(dataFolder)) return;
  const { stdout } = await promisify(execFile)('id', ['-u', user]).catch((error: Error) => {
    throw new Error(`there is no user ${user}. Create it: useradd --system ${user}`, { cause: error });
  });
  await mkdir(dataFolder, { mode: DATA_FOLDER_MODE, recursive: true });
  // Not through a link: the owner of the folder around it could replace the new folder by one.
  await lchown(dataFolder, Number(stdout), -1);
}
