/** The usage of a command, e.g. `--status applied|reverted [options] <version...>`. */
import type { ArgumentDefinition, CommandDefinition, OptionDefinition } from '../definition.ts';

/** Returns what follows the names of a command. */
export function usageOf({ options, arguments: operands = [] }: CommandDefinition): string {
  const all = Object.entries(options);
  const required = all.filter(([, { isRequired }]) => isRequired);
  return [
    ...required.map(([name, option]) => `--${name} ${valueText(option)}`),
    ...(all.length > required.length ? ['[options]'] : []),
    ...operands.map(argumentText),
  ].join(' ');
}

function valueText({ choices, value = '' }: OptionDefinition): string {
  return choices?.join('|') ?? `<${value}>`;
}

/** Returns an argument as it is written in the usage. */
export function argumentText({ name, isRequired, isVariadic }: ArgumentDefinition): string {
  const text = isVariadic ? `${name}...` : name;
  return isRequired ? `<${text}>` : `[${text}]`;
}
