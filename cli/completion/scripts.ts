/** Scripts that make a shell complete the command line. */
import type { Program } from '../definition.ts';
import { bashCompletion } from './bash.ts';
import { fishCompletion } from './fish.ts';
import { type CompletionNodes, completionNodes } from './nodes.ts';
import { powerShellCompletion } from './powershell.ts';
import { zshCompletion } from './zsh.ts';

const SCRIPTS: Readonly<Record<string, (nodes: CompletionNodes) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
  powershell: powerShellCompletion,
};

/** Returns the script for a shell. Throws for a shell without one. */
export function completionScript(shell: string, program: Program): string {
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (script) return script(completionNodes(program));
  throw new Error(
    `there is no completion for ${JSON.stringify(shell)}. Allowed: ${Object.keys(SCRIPTS).join(', ')}.`,
  );
}
