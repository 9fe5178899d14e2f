/** Describes an upgrade of the installed package, and applies it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readInstanceRecord, requireFreeFolder } from '@greenroom/data-folder';
import { loadConfig } from '@greenroom/server/settings';
import { compare } from 'semver';
import { printLines } from '../../print-lines.ts';
import { HAS_SOURCES, ROOT } from '../../program/plan.ts';
import { type ProjectOptions, readSettings } from '../../settings.ts';
import { changesBetween } from '../../upgrade/changes.ts';
import { describeUpgrade } from '../../upgrade/describe.ts';
import { fetchRelease } from '../../upgrade/fetch-release.ts';
import { type InstallCommand, installCommand, textOfCommand } from '../../upgrade/install-command.ts';
import { readRelease } from '../../upgrade/release.ts';

/** Options of {@link upgradePackage}. */
interface UpgradeOptions {
  /** Path of a tarball, or a version or tag. Default: `latest`. */
  target?: string | undefined;
  appliesIt: boolean;
}

/**
 * Prints the changes, and installs the version on request. Returns the exit code. Throws if the program is a clone of the
 * repository, if the version is older than the installed one, or if an instance runs that would lose its files.
 */
export async function upgradePackage(
  { target, appliesIt }: UpgradeOptions,
  options: ProjectOptions,
): Promise<number> {
  if (HAS_SOURCES)
    throw new Error(
      'greenroom upgrade updates an installed package. This is a clone of the repository: use git pull.',
    );
  const settings = await readSettings(options);
  const { dataDirectory } = loadConfig(settings.source);
  if (appliesIt) await requireFreeFolder(dataDirectory);
  const [from, to] = [await readRelease(ROOT), await fetchRelease(target ?? 'latest')];
  const order = compare(to.version, from.version);
  if (order < 0)
    throw new Error(
      `greenroom ${to.version} is older than ${from.version}, which is installed. Databases do not return to earlier versions.`,
    );
  if (order === 0) {
    printLines([`greenroom ${from.version} is installed already`]);
    return 0;
  }
  const dataVersion = (await readInstanceRecord(dataDirectory))?.version;
  const changes = changesBetween(from, to);
  printLines(describeUpgrade({ installed: from.version, target: to.version, dataVersion, changes }));
  const folder = settings.project?.folder ?? process.cwd();
  const command = installCommand({ folder, target, version: to.version });
  if (!appliesIt) {
    printLines(['', `Update: ${textOfCommand(command)}`]);
    return 0;
  }
  return apply(command, folder, to.version);
}

/** Runs the command in the folder of the project. */
async function apply(command: InstallCommand, folder: string, version: string): Promise<number> {
  const { program, args } = command;
  printLines(['', textOfCommand(command)]);
  const running = spawn(program, args, {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  const [code] = await once(running, 'exit').catch((error: Error) => {
    throw new Error(
      `${program} cannot be run: ${error.message}. Its lock file is in the project or above it.`,
    );
  });
  if (code !== 0) throw new Error(`${program} has failed with exit code ${code}; see its output above`);
  const { version: installed } = await readRelease(ROOT);
  if (installed !== version) {
    const install = installCommand({ folder, target: version, version });
    throw new Error(
      `package.json allows greenroom ${installed} at most. To install the new version: ${textOfCommand(install)}`,
    );
  }
  printLines([`greenroom ${version} is installed. Start it: greenroom start`]);
  return 0;
}
