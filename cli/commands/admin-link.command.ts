import { defineCommand } from '../definition.ts';

/** `greenroom admin-link`. */
export const adminLink = defineCommand({
  path: ['admin-link'],
  summary: 'Print a one-time link that makes its visitor an administrator',
  description: 'The instance must be running.',
  options: {},
  examples: [{ line: 'admin-link', summary: 'Print a link for the instance of the current folder' }],
  async run({ project }) {
    return (await import('./admin-link.ts')).printAdminLink(project);
  },
});
