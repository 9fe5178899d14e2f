import { defineCommand } from '../../definition.ts';

/** `greenroom init`. */
export const init = defineCommand({
  path: ['init'],
  summary: 'Create supabase/ with config.toml, seed.sql and .gitignore',
  options: { force: { summary: 'Replace an existing config.toml' } },
  examples: [
    { line: 'init', summary: 'Make the current folder a project' },
    { line: 'init --project shop', summary: 'Create the folder of a project' },
  ],
  async run({ options: { force: isForced }, project }) {
    return (await import('./init.ts')).initialise({ folder: project.project ?? '.', isForced });
  },
});
