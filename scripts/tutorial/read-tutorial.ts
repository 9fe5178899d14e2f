/** The steps of docs/build-your-product.md: files, changes of files, commands, and the output that the reader sees. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../package/root.ts';

const PAGE = 'docs/build-your-product.md';

/** A step that the reader does. */
export type TutorialStep =
  | { kind: 'file'; path: string; content: string }
  /** Replaces a part of a file, which occurs once in it. */
  | { kind: 'change'; path: string; before: string; after: string }
  /** A command of the shell, and the exit code that the page names: `sh exit=1`. */
  | { kind: 'command'; text: string; exitCode: number }
  /** Lines that the command before prints, or else the running server. `…` stands for any text. */
  | { kind: 'output'; text: string };

const FENCE = /^```(?<language>\w+)(?: exit=(?<exitCode>\d))?\n(?<body>.*?)^```$/gms;
/** The line before a file names it: Create `app/routes/todos.tsx`: */
const FILE_NAME = /`(?<path>[^`]+)`:$/;

/** Returns the steps of the page, see {@link parseTutorial}. */
export function readTutorial(): TutorialStep[] {
  return parseTutorial(readFileSync(join(ROOT, PAGE), 'utf8'));
}

/**
 * Returns the steps in the order of the page. Blocks in `console` are not part of them: they need a server.
 * @throws Error with the line of a block that is neither a command nor belongs to a file
 */
export function parseTutorial(page: string): TutorialStep[] {
  let changed: string | undefined;
  return [...page.matchAll(FENCE)].flatMap(({ index, groups }): TutorialStep[] => {
    const { language = '', exitCode = '0', body = '' } = groups ?? {};
    if (language === 'console') return [];
    if (language === 'text') return [{ kind: 'output', text: body }];
    if (language === 'sh') return commandsOf(body, Number(exitCode));
    const path = FILE_NAME.exec(page.slice(0, index).trimEnd())?.groups?.path;
    if (language === 'diff') {
      changed = path ?? changed;
      if (changed !== undefined) return [changeOf(changed, body)];
    } else if (path !== undefined) return [{ kind: 'file', path, content: body }];
    const line = page.slice(0, index).split('\n').length;
    throw new Error(`${PAGE}:${line}: no line before this block names a file, e.g. "Create \`a.ts\`:"`);
  });
}

/** Returns a command for each line; the exit code is that of the last one. */
function commandsOf(body: string, exitCode: number): TutorialStep[] {
  const lines = body.trimEnd().split('\n');
  return lines.map((text, index) => ({
    kind: 'command',
    text,
    exitCode: index === lines.length - 1 ? exitCode : 0,
  }));
}

function changeOf(path: string, body: string): TutorialStep {
  const lines = body.trimEnd().split('\n');
  const without = (sign: string) =>
    lines
      .filter((line) => !line.startsWith(sign))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  return { kind: 'change', path, before: without('+'), after: without('-') };
}

/** Whether printed text contains the lines of an output block, in their order. */
export function showsOutput(printed: string, expected: string): boolean {
  const pattern = expected
    .trimEnd()
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^]*?');
  return new RegExp(pattern).test(printed);
}
