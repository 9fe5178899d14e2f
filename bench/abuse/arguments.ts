/** The command line of `npm run abuse`. Pure. */
import { parseArgs } from 'node:util';

const DEFAULT_SECONDS = 10;
const MAX_SECONDS = 600;

interface Arguments {
  /** Names of attacks or areas, such as `auth`; empty for all attacks. */
  only: readonly string[];
  /** Duration of each attack and of each quiet window. */
  seconds: number;
  /** Path of a JSON file for all figures; undefined for none. */
  json: string | undefined;
  /** Whether to print the attacks instead of running them. */
  list: boolean;
}

/** Parses the arguments after the command. Throws errors with messages for the terminal. */
export function parseArguments(words: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...words],
    options: {
      only: { type: 'string', default: '' },
      seconds: { type: 'string', default: String(DEFAULT_SECONDS) },
      json: { type: 'string' },
      list: { type: 'boolean', default: false },
    },
  });
  const seconds = Number(values.seconds);
  if (!(seconds > 0 && seconds <= MAX_SECONDS)) {
    throw new Error(
      `--seconds ${values.seconds} is not allowed. Allowed: more than 0, at most ${MAX_SECONDS}`,
    );
  }
  const only = values.only.split(',').filter((name) => name !== '');
  return { only, seconds, json: values.json, list: values.list };
}

/** Selects items by name or area (the part before `/`). Throws for an unknown name. */
export function selectByName<Item extends { name: string }>(
  items: readonly Item[],
  only: readonly string[],
): Item[] {
  const isNamed = ({ name }: Item, selector: string) => name === selector || name.split('/')[0] === selector;
  const unknown = only.filter((selector) => !items.some((item) => isNamed(item, selector)));
  if (unknown.length > 0) {
    throw new Error(`unknown: ${unknown.join(', ')}. Known: ${items.map(({ name }) => name).join(', ')}`);
  }
  return only.length === 0
    ? [...items]
    : items.filter((item) => only.some((selector) => isNamed(item, selector)));
}
