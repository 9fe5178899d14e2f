/** Checks of the project: configuration and migrations. */
import { listStates } from '@greenroom/project';
import { type Check, type Outcome, ok, problem, type Subject, skipped } from './check.ts';

async function checkConfiguration({ settings }: Subject): Promise<Outcome[]> {
  if (settings.warnings.length > 0)
    return settings.warnings.map((warning) =>
      problem(warning, 'Change or remove it; greenroom config prints the settings that apply.'),
    );
  if (settings.project === undefined) return [ok('the settings are valid; there is no project')];
  const file = settings.configFile === undefined ? 'no config.toml' : 'config.toml is valid';
  return [ok(`${settings.project.folder}: ${file}`)];
}

async function checkMigrations({ settings, record, isRunning }: Subject): Promise<Outcome[]> {
  const { project } = settings;
  if (project === undefined) return [skipped('there is no project')];
  const url = record?.credentials?.databaseUrl;
  if (!isRunning || url === undefined)
    return [skipped('the instance is not running: greenroom migration list compares files and database')];
  const states = await listStates(url, project);
  const pending = states.filter(({ isApplied }) => !isApplied);
  const edited = states.filter(({ isEdited }) => isEdited);
  const missing = states.filter(({ hasFile }) => !hasFile);
  const outcomes = [
    ...listed(pending, 'not applied', 'Apply them: greenroom migration up'),
    ...listed(
      edited,
      'edited after they were applied',
      'Put the change into a new migration: greenroom migration new <name>',
    ),
    ...listed(missing, 'applied without a file', 'Write the files: greenroom migration fetch'),
  ];
  return outcomes.length > 0 ? outcomes : [ok(`${states.length} migrations, all applied`)];
}

function listed(states: readonly { version: string }[], what: string, remedy: string): Outcome[] {
  if (states.length === 0) return [];
  return [problem(`migrations ${what}: ${states.map(({ version }) => version).join(', ')}`, remedy)];
}

export const PROJECT_CHECKS: readonly Check[] = [
  { name: 'configuration', run: checkConfiguration },
  { name: 'migrations', run: checkMigrations },
];
