import { defineCommand } from '../../definition.ts';

/** `greenroom db schema declarative sync`. */
export const dbSchemaSync = defineCommand({
  path: ['db', 'schema', 'declarative', 'sync'],
  summary: 'Write the difference of the migrations and the declared schema as a migration',
  options: {
    file: { value: 'name', short: 'f', summary: 'Name of the migration (default: declarative_sync)' },
    name: { value: 'name', summary: 'Same as --file' },
    schema: {
      value: 'names',
      short: 's',
      isRepeatable: true,
      summary: 'Only these schemas, separated by commas',
    },
    apply: { isNegatable: true, summary: 'Apply it to the database of the instance, without a question' },
  },
  examples: [
    { line: 'db schema declarative sync -f add_notes --apply', summary: 'Write a migration and apply it' },
  ],
  async run({ options: { file, name, schema, apply: applies }, project }) {
    return (await import('./declarative.ts')).sync({ file, name, schema, applies }, project);
  },
});
