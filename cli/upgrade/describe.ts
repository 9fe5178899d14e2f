/** The text of an upgrade. */
import type { Changes } from './changes.ts';

/** The versions of an upgrade, and its changes. */
interface Upgrade {
  installed: string;
  target: string;
  /** Version that last ran on the data folder; undefined if none is recorded. */
  dataVersion: string | undefined;
  changes: Changes;
}

/** Returns the lines that say what an upgrade changes. */
export function describeUpgrade({ installed, target, dataVersion, changes }: Upgrade): string[] {
  const { entries, breaking, migrations, programs } = changes;
  return [
    `greenroom ${installed} → ${target}`,
    `data folder: ${dataVersion === undefined ? 'no version is recorded yet' : `last started by ${dataVersion}`}`,
    ...section('Breaking changes', breaking, 'none'),
    ...section(
      'Changes',
      entries.map(({ version, text }) => `${version}\n\n${text}`),
      'the changelog of this version names none',
    ),
    ...section('Migrations of the platform that the next start applies', migrations, 'none'),
    ...(migrations.length > 0
      ? [
          '',
          'An earlier version refuses a database with these migrations: back it up first (greenroom db dump).',
        ]
      : []),
    ...section(
      'Programs',
      programs.map(({ name, from = 'absent', to }) => `${name} ${from} → ${to}`),
      'the same versions of Node.js, PostgreSQL and Deno',
    ),
  ];
}

function section(title: string, parts: readonly string[], none: string): string[] {
  return ['', `${title}:`, ...(parts.length === 0 ? [`  ${none}`] : parts.flatMap(indented))];
}

function indented(part: string): string[] {
  return part.split('\n').map((line) => (line === '' ? '' : `  ${line}`));
}
