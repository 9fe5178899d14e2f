/** Stops the running instance of a project or data folder, or all instances of this user. */
import { resolve } from 'node:path';
import { openRegistry, type Registry, stateFolder } from '@greenroom/instances';
import { type ProjectOptions, readConfig } from '../settings.ts';
import { type StopOutcome, stopInstance } from '../stop-instance.ts';

/** Resolves when the instances have ended. The exit code is 1 if one of them has not ended. */
export async function stopInstances({ all }: { all: boolean }, options: ProjectOptions): Promise<number> {
  const folders = all ? await listedFolders() : [resolve((await readConfig(options)).dataDirectory)];
  if (folders.length === 0) process.stdout.write('no instance is running\n');
  // An instance that is not in the registry is found by its data folder.
  const registry = await openRegistry(stateFolder()).catch(() => undefined);
  const outcomes = await Promise.all(folders.map((folder) => stopAndReport(folder, registry)));
  return outcomes.includes('running') ? 1 : 0;
}

async function listedFolders(): Promise<string[]> {
  const entries = await (await openRegistry(stateFolder())).list();
  return entries.map(({ dataFolder }) => dataFolder);
}

async function stopAndReport(
  dataFolder: string,
  registry: Registry | undefined,
): Promise<StopOutcome['kind']> {
  const outcome = await stopInstance(dataFolder, registry);
  const output = outcome.kind === 'running' ? process.stderr : process.stdout;
  output.write(`${describeOutcome(outcome, dataFolder)}\n`);
  return outcome.kind;
}

function describeOutcome(outcome: StopOutcome, dataFolder: string): string {
  switch (outcome.kind) {
    case 'absent':
      return `no instance is running on ${dataFolder}`;
    case 'stopped':
      return `stopped the instance on ${dataFolder} (pid ${outcome.pid})`;
    case 'running':
      return `error: the instance on ${dataFolder} is still running (pid ${outcome.pid}): ${outcome.reason}`;
  }
}
