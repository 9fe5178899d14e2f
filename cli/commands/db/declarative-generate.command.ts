import { defineCommand } from '../../definition.ts';

/** `greenroom db schema declarative generate`. */
export const dbSchemaGenerate = defineCommand({
  path: ['db', 'schema', 'declarative', 'generate'],
  summary: 'Write the schema of a database as files',
  options: {
    'output-dir': { value: 'folder', summary: 'Folder of the files (default: that of config.toml)' },
    overwrite: { summary: 'Replace existing files' },
    reset: { summary: 'Replace the database by a new one first, like db reset' },
    schema: {
      value: 'names',
      short: 's',
      isRepeatable: true,
      summary: 'Only these schemas, separated by commas',
    },
    'db-url': { value: 'url', summary: 'Another database, as postgresql://user:password@host:port/database' },
  },
  examples: [{ line: 'db schema declarative generate', summary: 'Write the schema of the instance' }],
  async run({ options, project }) {
    return (await import('./declarative.ts')).generate(options, project);
  },
});
