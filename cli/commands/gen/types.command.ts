import { defineCommand } from '../../definition.ts';

/** `greenroom gen types`. */
export const genTypes = defineCommand({
  path: ['gen', 'types'],
  summary: 'Generate types of the database for TypeScript, Go, Python or Swift',
  arguments: [{ name: 'language', summary: 'Same as --lang' }],
  options: {
    lang: { value: 'language', summary: 'typescript (default), go, python or swift' },
    schema: {
      value: 'names',
      short: 's',
      isRepeatable: true,
      summary: 'Schemas separated by commas (default: public and api.schemas of config.toml)',
    },
    output: {
      value: 'file',
      short: 'o',
      summary: 'Write the file if its content changes, instead of printing',
    },
    watch: { summary: 'Write the file again whenever the schema changes, until Ctrl-C' },
    'db-url': { value: 'url', summary: 'Another database, as postgresql://user:password@host:port/database' },
    'query-timeout': {
      value: 'duration',
      default: '15s',
      summary: 'Time limit of each query, e.g. 30s',
    },
    'swift-access-control': {
      value: 'level',
      choices: ['internal', 'public'],
      default: 'internal',
      summary: 'Access level of the declarations in Swift',
    },
  },
  examples: [
    { line: 'gen types -o src/database.types.ts', summary: 'Write the types of the project' },
    { line: 'gen types python --schema public,private', summary: 'Print those of two schemas' },
    { line: 'gen types -o types.ts --watch', summary: 'Keep them up to date' },
  ],
  async run({ options, operands, project }) {
    const { generateTypesOf } = await import('./types.ts');
    return generateTypesOf({ ...options, operands }, project);
  },
});
