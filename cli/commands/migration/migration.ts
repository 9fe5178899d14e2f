/** `greenroom migration new | list | up | down | repair | squash | fetch`: the migrations of a project. */
import { fstatSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import {
  createMigration,
  listStates,
  type MigrationState,
  repairHistory,
  setUpProject,
} from '@greenroom/project';
import { withInstanceDatabase } from '../../instance-database.ts';
import { readProject } from '../../read-project.ts';
import type { ProjectOptions } from '../../settings.ts';
import { down } from './down.ts';
import { fetchMigrations } from './fetch.ts';
import { squash } from './squash.ts';

const ACTIONS: Readonly<Record<string, (args: string[], options: ProjectOptions) => Promise<string[]>>> = {
  new: create,
  list,
  up,
  down,
  repair,
  squash,
  fetch: fetchMigrations,
};
const STATUSES = ['applied', 'reverted'] as const;

/** Runs an action and prints its output. */
export async function migration(args: string[], options: ProjectOptions): Promise<number> {
  const [action = '', ...rest] = args;
  const run = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (!run)
    throw new Error(
      `unknown command "migration ${action}". Use migration new <name>, list, up, down, repair, squash or fetch.`,
    );
  for (const line of await run(rest, options)) print(line);
  return 0;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Creates a file with the content of the standard input, if that is a pipe or a file. */
async function create(args: string[], options: ProjectOptions): Promise<string[]> {
  const { positionals } = parseArgs({ args, options: {}, allowPositionals: true });
  const name = positionals.join('_');
  if (name === '')
    throw new Error('migration new requires a name, e.g. greenroom migration new create_notes');
  const folder = options.project ?? process.cwd();
  const content = isInputPiped() ? await text(process.stdin) : '';
  return [`created ${await createMigration({ folder, name, content, now: new Date() })}`];
}

function isInputPiped(): boolean {
  const input = fstatSync(0);
  return input.isFIFO() || input.isFile() || input.isSocket();
}

async function list(args: string[], options: ProjectOptions): Promise<string[]> {
  parseArgs({ args, options: {} });
  const { config, toRun } = await readProject(options);
  const states = await withInstanceDatabase({ config, project: toRun }, (url) =>
    listStates(url, toRun.project),
  );
  if (states.length === 0) return ['no migrations. Create one: greenroom migration new <name>'];
  return tableOf([['LOCAL', 'APPLIED', 'TIME (UTC)', 'NAME'], ...states.map(rowOf)]);
}

function rowOf({ version, name, hasFile, isApplied, isEdited }: MigrationState): string[] {
  const applied = isEdited ? `${version} (edited since)` : version;
  return [hasFile ? version : '', isApplied ? applied : '', timeOf(version), name];
}

/** Versions are times, except in projects that number their migrations. */
function timeOf(version: string): string {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(version) ?? [];
  return year === undefined ? '' : `${year}-${month}-${day} ${hour}:${minute}:${second}`;
}

function tableOf(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

async function up(args: string[], options: ProjectOptions): Promise<string[]> {
  const { values } = parseArgs({ args, options: { 'include-all': { type: 'boolean', default: false } } });
  const { config, toRun } = await readProject(options);
  const applied = await withInstanceDatabase({ config, project: toRun }, (url) =>
    // Asked for by name, so also if config.toml keeps the start from applying them.
    setUpProject({
      url,
      ...toRun,
      appliesMigrations: true,
      includesEarlier: values['include-all'],
      includesHeld: true,
      onProgress: print,
    }),
  );
  return applied === 0 ? ['all migrations are applied already'] : [];
}

async function repair(args: string[], options: ProjectOptions): Promise<string[]> {
  const { values, positionals: versions } = parseArgs({
    args,
    options: { status: { type: 'string' } },
    allowPositionals: true,
  });
  const status = STATUSES.find((known) => known === values.status);
  if (status === undefined || versions.length === 0)
    throw new Error('use: greenroom migration repair --status applied|reverted <version> …');
  const { config, toRun } = await readProject(options);
  const { project } = toRun;
  await withInstanceDatabase({ config, project: toRun }, (url) =>
    repairHistory({ url, project, status, versions }),
  );
  return [`recorded as ${status}: ${versions.join(', ')}`];
}
