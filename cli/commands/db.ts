/** `greenroom db reset`: replaces the database of a project by a new one. */
import { basename } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { createLogger } from '@greenroom/log';
import { resetDatabase } from '@greenroom/server';
import { loadConfig } from '@greenroom/server/settings';
import { requireProject } from '../project.ts';
import { explained, type ProjectOptions, readSettings } from '../settings.ts';

/** Runs `db reset`. */
export async function db(args: string[], options: ProjectOptions): Promise<number> {
  const [action = '', ...rest] = args;
  if (action !== 'reset') throw new Error(`unknown command "db ${action}". Use db reset.`);
  return reset(rest, options);
}

async function reset(args: string[], options: ProjectOptions): Promise<number> {
  const { values } = parseArgs({ args, options: { 'no-seed': { type: 'boolean', default: false } } });
  const settings = await readSettings(options);
  const toRun = requireProject(settings);
  const config = await explained(settings, () => loadConfig(settings.source));
  const onProgress = (line: string) => void process.stdout.write(`${line}\n`);
  // An instance with a public URL may have data of users.
  if (config.limitsLoopback)
    await requireName(
      settings.configFile?.projectKeys.projectId ?? basename(toRun.project.folder),
      config.appUrl,
    );
  const log = createLogger(config.logLevel);
  await resetDatabase({
    config,
    toRun: values['no-seed'] ? { ...toRun, seedPaths: [] } : toRun,
    log,
    onProgress,
  });
  onProgress('the database is new. Start the instance: greenroom start');
  return 0;
}

/** Throws unless the name is typed. */
async function requireName(name: string, url: string): Promise<void> {
  process.stdout.write(`All data of the instance at ${url} will be lost, including its users.\n`);
  const input = createInterface({ input: process.stdin, output: process.stdout });
  const typed = await Promise.race([
    input.question(`Type the name of the project (${name}) to reset its database: `),
    new Promise<string>((resolve) => input.once('close', () => resolve(''))),
  ]);
  input.close();
  if (typed.trim() !== name) throw new Error('the name of the project was not typed; nothing was changed.');
}
