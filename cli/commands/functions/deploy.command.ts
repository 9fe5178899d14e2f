import { defineCommand } from '../../definition.ts';
import { INSTANCE_OPTIONS } from '../../functions/instance-options.ts';

/** `greenroom functions deploy`. */
export const functionsDeploy = defineCommand({
  path: ['functions', 'deploy'],
  summary: 'Deploy functions of the project into an instance',
  description:
    'Their files are stored in the database of the instance, as a version. Requests reach it when its packages are prepared.',
  arguments: [{ name: 'name', summary: 'Names of functions (default: all)', isVariadic: true }],
  options: {
    'verify-jwt': {
      isNegatable: true,
      summary: 'Whether requests need a token or key of the project (default: as config.toml says)',
    },
    'import-map': { value: 'file', summary: 'Import map or deno.json of the functions' },
    prune: { summary: 'Delete deployed functions that the project does not have' },
    ...INSTANCE_OPTIONS,
  },
  examples: [
    { line: 'functions deploy hello', summary: 'Deploy one function into the instance on this machine' },
    {
      line: 'functions deploy --url https://api.example.org',
      summary: 'Deploy all functions into another instance, with its key in GREENROOM_SECRET_KEY',
    },
  ],
  async run({ operands: names, options, project, isConfirmed }) {
    const { 'verify-jwt': verifiesJwt, 'import-map': importMap, prune: prunes } = options;
    const { deployFunctions } = await import('../../functions/deploy.ts');
    return deployFunctions(
      { names, verifiesJwt, importMap, prunes, isConfirmed, instance: options },
      project,
    );
  },
});
