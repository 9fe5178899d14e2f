/** Runs a command line, and returns the exit code. */
import { readFile } from 'node:fs/promises';
import { basename, relative, resolve } from 'node:path';
import { HELP, parseArguments, UsageError } from './arguments.mjs';
import { CreateError, createProduct, requireUsableFolder } from './create-product.mjs';
import { askForMissing } from './questions.mjs';

/**
 * @param {readonly string[]} args
 * @returns {Promise<number>} 0 for success, 1 for failure, 2 for a wrong command line
 */
export async function run(args) {
  try {
    const parsed = parseArguments(args);
    if (parsed.isHelp) return print(HELP);
    if (parsed.isVersion) return print(await ownVersion());
    if (parsed.folder !== undefined) await requireUsableFolder(parsed.folder);
    const { folder, template } = await askForMissing(parsed);
    await createProduct({ folder, template, tarball: parsed.tarball, version: await ownVersion() });
    return print(nextSteps(folder, template));
  } catch (error) {
    if (!(error instanceof CreateError || error instanceof UsageError)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

/** @param {string} text */
function print(text) {
  process.stdout.write(`${text}\n`);
  return 0;
}

async function ownVersion() {
  const manifest = new URL('../package.json', import.meta.url);
  return JSON.parse(await readFile(manifest, 'utf8')).version;
}

/**
 * @param {string} folder
 * @param {string} template
 */
function nextSteps(folder, template) {
  const path = relative('.', folder);
  return [
    `created ${basename(resolve(folder))} from the template ${template}`,
    '',
    'Next:',
    ...(path === '' ? [] : [`  cd ${quoted(path)}`]),
    '  npm install',
    '  npm run dev',
    '',
    'README.md describes the files and the commands.',
  ].join('\n');
}

/**
 * Returns an argument as a shell takes it.
 * @param {string} text
 */
function quoted(text) {
  if (/^[\w./\\~-]+$/.test(text)) return text;
  return process.platform === 'win32' ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`;
}
