/**
 * Counts words in comments and documents that hide the subject of a sentence. Each workspace may have fewer than two in
 * 10,000 words, or a single one.
 */
import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { GENERATED } from './import-graph.ts';

const ROOT = join(import.meta.dirname, '..');
/** Workspaces and folders that are counted one by one, then all of them together. */
const FOLDERS = [
  'app',
  'bench',
  'cli',
  'demo',
  'docs',
  'e2e',
  'examples',
  'platform',
  'scripts',
  'server',
  'services/*',
] as const;
const MAX_PER_10_000_WORDS = 2;
const COMMENT = /\/\*[\s\S]*?\*\/|(?:^|\s)\/\/[^\n]*/g;

/** Kinds of words, with a name for the message. */
const RIDDLES: Readonly<Record<string, RegExp>> = {
  'pronouns without a noun': /\b(?:some|no|any|every)body\b|\b(?:who|what)ever\b/gi,
  'told and tells': /\bt(?:old|ells)\b/gi,
  'phrases of translations':
    /\b(?:anew|by itself|of its own|(?:where|that) there (?:is|are)|so long|besides?)\b/gi,
  'clauses as nouns': /\bwhat (?:is|was|has|comes|came|they|it|a|the)\b/gi,
};

/** Occurrences of each kind in a number of words. */
interface Count {
  words: number;
  found: Record<string, number>;
}

/** Counts words and riddles in the prose of files: a document as a whole, the comments of everything else. */
export function countRiddles(files: readonly { path: string; text: string }[]): Count {
  const prose = files.map(proseOf);
  const occurrences = (pattern: RegExp) =>
    prose.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0);
  return {
    words: prose.reduce((sum, text) => sum + text.split(/\s+/).filter(Boolean).length, 0),
    found: Object.fromEntries(Object.entries(RIDDLES).map(([name, pattern]) => [name, occurrences(pattern)])),
  };
}

/** Returns the kinds that are too frequent, e.g. `12.3 of 10,000 words are clauses as nouns`. */
export function excessOf({ words, found }: Count): string[] {
  return Object.entries(found).flatMap(([name, number]) => {
    const rate = (number / Math.max(words, 1)) * 10_000;
    return number <= 1 || rate < MAX_PER_10_000_WORDS
      ? []
      : [`${rate.toFixed(1)} of 10,000 words are ${name}`];
  });
}

function proseOf({ path, text }: { path: string; text: string }): string {
  return path.endsWith('.md') ? text : (text.match(COMMENT) ?? []).join('\n');
}

function filesOf(patterns: readonly string[]): { path: string; text: string }[] {
  const paths = globSync(patterns, { cwd: ROOT, exclude: (path) => GENERATED.test(String(path)) });
  return paths.map((path) => ({
    path: path.replaceAll(sep, '/'),
    text: readFileSync(join(ROOT, path), 'utf8'),
  }));
}

if (import.meta.main) {
  const folders = FOLDERS.flatMap((folder) => globSync(folder, { cwd: ROOT }));
  const groups = folders.map((folder) => [folder, filesOf([`${folder}/**/*.{ts,tsx,md}`])] as const);
  const all = [...groups.flatMap(([, files]) => files), ...filesOf(['*.md'])];
  for (const [name, files] of [...groups, ['the repository', all] as const]) {
    for (const excess of excessOf(countRiddles(files))) {
      process.stderr.write(`${name}: ${excess}\n`);
      process.exitCode = 1;
    }
  }
}
