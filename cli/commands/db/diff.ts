/** Writes the difference of two schemas as SQL. */
import { writeFile } from 'node:fs/promises';
import { createMigrations, requireName } from '@greenroom/project';
import type { SchemaChanges } from '@greenroom/project/schema-diff';
import { migrationText } from '@greenroom/project/schema-diff';
import { type ConfiguredProject, readProject } from '../../read-project.ts';
import { compareSchemas } from '../../schema/compare-schemas.ts';
import { note, report } from '../../schema/report.ts';
import { type SchemaSource, schemasOf, sourceOf } from '../../schema/source.ts';
import type { ProjectOptions } from '../../settings.ts';

/** The options of the command. */
interface DiffOptions {
  file: string | undefined;
  schema: readonly string[] | undefined;
  from: string | undefined;
  to: string | undefined;
  'db-url': string | undefined;
  output: string | undefined;
  'use-pg-delta': boolean;
  'use-migra': boolean;
  'use-pgadmin': boolean;
  'strict-coverage': boolean;
}

/** Compares the migrations with the database of the instance, unless options name other schemas. */
export async function diff(values: DiffOptions, options: ProjectOptions): Promise<number> {
  const { file, output } = values;
  requireOnlyPgDelta(values);
  if (file !== undefined && output !== undefined) throw new Error('use either --file or --output.');
  const name = file === undefined ? undefined : requireName(file);
  const schemas = schemasOf(values.schema);
  const configured = await readProject(options);
  if (!values['use-pg-delta']) requireEnabledPgDelta(configured);
  const { from, to } = sourcesOf(values, configured);
  const changes = await compareSchemas(configured, { from, to, schemas });
  if (!report(changes, { isStrict: values['strict-coverage'] })) return 0;
  if (name !== undefined) await writeMigrations(configured, { name, changes });
  else if (output !== undefined) await writeFile(output, textOf(changes));
  else process.stdout.write(textOf(changes));
  return 0;
}

function requireOnlyPgDelta(values: DiffOptions): void {
  const other = (['use-migra', 'use-pgadmin'] as const).find((option) => values[option]);
  if (other !== undefined)
    throw new Error(`--${other} is not available: pg-delta makes all comparisons. Leave the option out.`);
}

/** Throws an error if config.toml disables the only engine. */
export function requireEnabledPgDelta({ schema }: ConfiguredProject): void {
  if (schema?.isPgDeltaEnabled ?? true) return;
  throw new Error(
    'supabase/config.toml disables pg-delta (experimental.pgdelta.enabled), and there is no other engine. Enable it, or use db diff --use-pg-delta.',
  );
}

/** With a declared schema, that is the desired one, as in the Supabase CLI. */
function sourcesOf(
  values: DiffOptions,
  { schema }: ConfiguredProject,
): { from: SchemaSource; to: SchemaSource } {
  const { from, to, 'db-url': url } = values;
  if (to !== undefined && url !== undefined) throw new Error('use either --to or --db-url.');
  const target = to ?? url;
  const isDeclared = schema !== undefined && schema.paths.length > 0;
  return {
    from: from === undefined ? { kind: 'migrations' } : sourceOf('--from', from),
    to: target === undefined ? { kind: isDeclared ? 'declared' : 'local' } : sourceOf('--to', target),
  };
}

/** Creates the migrations and prints their paths. Returns their versions. */
export async function writeMigrations(
  { toRun }: ConfiguredProject,
  { name, changes }: { name: string; changes: SchemaChanges },
): Promise<readonly string[]> {
  const contents = changes.parts.map((part) => migrationText(part, changes));
  const created = await createMigrations({ folder: toRun.project.folder, name, contents, now: new Date() });
  for (const { path } of created) note(`created ${path}`);
  return created.map(({ version }) => version);
}

/** The parts are migrations of their own, because the later ones need the effects of the earlier ones. */
function textOf(changes: SchemaChanges): string {
  return changes.parts
    .map((part) => migrationText(part, changes))
    .join(
      '\n-- These statements need those above to be committed, so they belong into another migration.\n\n',
    );
}
