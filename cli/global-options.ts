/** The options of all commands. */
import type { OptionDefinitions, OptionValues } from './definition.ts';
import type { ProjectOptions } from './settings.ts';

/** May stand anywhere in a command line. */
export const GLOBAL_OPTIONS = {
  project: {
    value: 'folder',
    summary: 'Folder with supabase/ to work on (default: the current folder, if it has supabase/)',
  },
  workdir: { value: 'folder', summary: 'Same as --project, as in the Supabase CLI' },
  remote: { value: 'name', summary: 'Use the values of [remotes.<name>] in supabase/config.toml' },
  yes: { summary: 'Answer yes to all questions' },
  debug: { summary: 'Print the stack of an error' },
  // Scripts for version 2 of the Supabase CLI use these.
  local: { isHidden: true, summary: 'The instance on this machine, which is the default' },
  experimental: { isHidden: true, summary: 'No effect: no command needs it here' },
  linked: { isHidden: true, summary: 'Refused: there are no linked projects' },
} as const satisfies OptionDefinitions;

/** The values of the options of all commands. */
export type GlobalValues = OptionValues<typeof GLOBAL_OPTIONS>;

/** Returns the project that the options choose. Throws an error for options that have no meaning here. */
export function projectOptionsOf({ project, workdir, remote, linked }: GlobalValues): ProjectOptions {
  if (linked) {
    throw new Error(
      '--linked names a project that is linked to the hosted service, which Greenroom does not have. ' +
        'Leave it out to work on this machine; --remote <name> uses the values of [remotes.<name>].',
    );
  }
  for (const [name, value] of Object.entries({ project, workdir, remote }))
    if (value === '')
      throw new Error(
        `--${name} requires a value, e.g. --${name} <${name === 'remote' ? 'name' : 'folder'}>.`,
      );
  if (project !== undefined && workdir !== undefined && project !== workdir)
    throw new Error('use either --project or --workdir.');
  return {
    ...((project ?? workdir) !== undefined && { project: project ?? workdir }),
    ...(remote !== undefined && { remote }),
  };
}
