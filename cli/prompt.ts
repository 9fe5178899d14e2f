/** Questions to the user of the terminal. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Asks for a line of text. An input that has ended is an empty answer. */
async function ask(question: string): Promise<string> {
  const input = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await Promise.race([
    input.question(question),
    new Promise<string>((resolve) => input.once('close', () => resolve(''))),
  ]);
  input.close();
  return answer.trim();
}

/** Whether a user can answer {@link askSecret}. */
export function canAskSecret(): boolean {
  return process.stdin.isTTY === true;
}

/** Asks for a line that the terminal does not show. Throws if the user interrupts or ends the input. */
export async function askSecret(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const input = createInterface({ input: process.stdin, output: silent, terminal: true });
  // The terminal shows nothing any more.
  process.stderr.write(question);
  try {
    return await new Promise<string>((resolve, reject) => {
      input.once('line', resolve);
      input.once('SIGINT', () => reject(new Error('interrupted; nothing was changed.')));
      input.once('close', () => reject(new Error('the input ended; nothing was changed.')));
    });
  } finally {
    input.close();
    process.stderr.write('\n');
  }
}

/** Options of {@link requireConfirmation}. */
interface Confirmation {
  /** Whether the user has confirmed on the command line already. */
  isConfirmed: boolean;
}

/** Whether the user answers yes. No answer, e.g. without a terminal, is a no. */
export async function isConfirmed(question: string): Promise<boolean> {
  const answer = await ask(`${question} [y/N] `);
  return /^y(?:es)?$/i.test(answer);
}

/** Throws unless the user answers yes, see {@link isConfirmed}. */
export async function requireConfirmation(question: string, confirmation: Confirmation): Promise<void> {
  if (confirmation.isConfirmed || (await isConfirmed(question))) return;
  throw new Error('not confirmed; nothing was changed. Answer y, or use --yes.');
}

/** Throws unless the user types the name of the project, because the data of its users will be lost. */
export async function requireProjectName(name: string, url: string): Promise<void> {
  process.stdout.write(`All data of the instance at ${url} will be lost, including its users.\n`);
  const typed = await ask(`Type the name of the project (${name}) to reset its database: `);
  if (typed !== name) throw new Error('the name of the project was not typed; nothing was changed.');
}
