/** Parses the command line. */
import { parseArgs } from 'node:util';
import { TEMPLATES } from './templates.mjs';

/** The command line is wrong. */
export class UsageError extends Error {
  name = 'UsageError';
}

const NAMES = Object.keys(TEMPLATES);
const WIDTH = Math.max(...NAMES.map((name) => name.length));

export const HELP = [
  'Usage: npm create greenroom <folder> -- [options]',
  '',
  'Creates a product on Greenroom in a new or empty folder.',
  '',
  'Options:',
  '  --template <name>      One of the templates below',
  '  --greenroom <tarball>  Use this file greenroom-<version>.tgz instead of the package from npm',
  '  -h, --help             Print this text',
  '  -v, --version          Print the version',
  '',
  'Templates:',
  ...Object.entries(TEMPLATES).map(([name, summary]) => `  ${name.padEnd(WIDTH)}  ${summary}`),
].join('\n');

/**
 * @typedef {object} Arguments
 * @property {string | undefined} folder
 * @property {string | undefined} template
 * @property {string | undefined} tarball
 * @property {boolean} isHelp
 * @property {boolean} isVersion
 */

/**
 * @param {readonly string[]} args
 * @returns {Arguments}
 */
export function parseArguments(args) {
  const { values, positionals } = parse(args);
  const [folder, ...others] = positionals;
  if (others.length > 0)
    throw new UsageError(`only one folder is allowed, but "${others[0]}" is another one.`);
  if (values.template !== undefined && !NAMES.includes(values.template))
    throw new UsageError(`there is no template "${values.template}". Allowed: ${NAMES.join(', ')}.`);
  return {
    folder,
    template: values.template,
    tarball: values.greenroom,
    isHelp: values.help ?? false,
    isVersion: values.version ?? false,
  };
}

/** @param {readonly string[]} args */
function parse(args) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        template: { type: 'string' },
        greenroom: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    });
  } catch (error) {
    const [first] = error instanceof Error ? error.message.split('. ') : [];
    throw new UsageError(`${first}. Options: create-greenroom --help`);
  }
}
