import { defineCommand } from '../../definition.ts';

/** `greenroom seed buckets`. */
export const seedBuckets = defineCommand({
  path: ['seed', 'buckets'],
  summary: 'Create the buckets of a project and upload their files to the running instance',
  options: {},
  examples: [{ line: 'seed buckets', summary: 'Create the buckets of config.toml, and upload their files' }],
  async run({ project }) {
    return (await import('./buckets.ts')).seedBuckets(project);
  },
});
