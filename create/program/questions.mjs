/** Asks for values that the command line does not name, on a terminal. */
import { createInterface } from 'node:readline/promises';
import { UsageError } from './arguments.mjs';
import { requireUsableFolder } from './create-product.mjs';
import { DEFAULT_TEMPLATE, TEMPLATES } from './templates.mjs';

const DEFAULT_FOLDER = 'my-product';

/**
 * @param {{ folder: string | undefined, template: string | undefined }} known
 * @returns {Promise<{ folder: string, template: string }>}
 * @throws UsageError without a terminal if the folder is missing
 */
export async function askForMissing({ folder, template }) {
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  if (!isTerminal) {
    if (folder === undefined) throw new UsageError('name the folder: npm create greenroom <folder>');
    return { folder, template: template ?? DEFAULT_TEMPLATE };
  }
  if (folder !== undefined && template !== undefined) return { folder, template };
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return {
      folder: folder ?? (await askForFolder(terminal)),
      template: template ?? (await askForTemplate(terminal)),
    };
  } finally {
    terminal.close();
  }
}

/** @param {import('node:readline/promises').Interface} terminal */
async function askForFolder(terminal) {
  for (;;) {
    const answer = (await terminal.question(`Folder (${DEFAULT_FOLDER}): `)).trim() || DEFAULT_FOLDER;
    const problem = await requireUsableFolder(answer).catch((error) => error.message);
    if (problem === undefined) return answer;
    process.stdout.write(`${problem}\n`);
  }
}

/** @param {import('node:readline/promises').Interface} terminal */
async function askForTemplate(terminal) {
  const names = Object.keys(TEMPLATES);
  if (names.length === 1) return DEFAULT_TEMPLATE;
  for (const [index, name] of names.entries())
    process.stdout.write(`${index + 1}  ${name}: ${TEMPLATES[name]}\n`);
  for (;;) {
    const answer = (await terminal.question(`Template (${DEFAULT_TEMPLATE}): `)).trim() || DEFAULT_TEMPLATE;
    const chosen = names[Number(answer) - 1] ?? names.find((name) => name === answer);
    if (chosen !== undefined) return chosen;
    process.stdout.write(`Type a number from 1 to ${names.length}, or the name of a template.\n`);
  }
}
