/** The options of all commands, which may stand anywhere after the name of the command. */
import type { ProjectOptions } from './settings.ts';

const NAMES = ['project', 'remote'] as const;

/** Separates the options of all commands from the arguments of one. Throws if an option has no value. */
export function takeProjectOptions(args: readonly string[]): { args: string[]; options: ProjectOptions } {
  const options: ProjectOptions = {};
  const own: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? '';
    const name = NAMES.find((each) => argument === `--${each}` || argument.startsWith(`--${each}=`));
    if (name === undefined) {
      own.push(argument);
      continue;
    }
    const [, inline] = /=(.*)$/s.exec(argument) ?? [];
    const value = inline ?? args[++index];
    if (!value || value.startsWith('--'))
      throw new Error(`--${name} requires a value, e.g. --${name} <name>.`);
    options[name] = value;
  }
  return { args: own, options };
}
