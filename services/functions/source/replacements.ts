/**
 * Modules of the network that functions import by URL, and their replacements without one: npm packages, modules of Node.js
 * and modules of our own. A module is replaced only by one with the same API; functions see no difference.
 */
import { type NpmModule, npmModuleOf } from './npm-modules.ts';
import { providedModuleOf } from './provided-modules.ts';

/** The replacement of a specifier. */
type Replacement =
  | ({ kind: 'npm' } & NpmModule)
  /** A module that belongs to the runtime, e.g. `node:buffer`. */
  | { kind: 'builtin'; name: string }
  /** A module of the folder `provided`. */
  | { kind: 'provided'; file: string };

/** Modules of Node.js in Deno's former standard library. */
const STD_NODE = /^https:\/\/deno\.land\/std(?:@[^/]+)?\/node\/(?<name>[a-z_]+(?:\/promises)?)\.ts$/;

/** esm.sh serves packages of JSR below this path. */
const ESM_SH_JSR = /^https:\/\/esm\.sh\/jsr\/(?<specifier>[^?]+)(?:\?.*)?$/;

/** Returns what stands for a specifier; undefined if the network is needed. */
export function replacementOf(specifier: string): Replacement | undefined {
  const jsr = ESM_SH_JSR.exec(specifier)?.groups?.specifier;
  if (jsr !== undefined) return replacementOf(`jsr:${jsr}`);
  const file = providedModuleOf(specifier);
  if (file !== undefined) return { kind: 'provided', file };
  const builtin = STD_NODE.exec(specifier)?.groups?.name;
  if (builtin !== undefined) return { kind: 'builtin', name: `node:${builtin}` };
  const found = npmModuleOf(specifier);
  return found && { kind: 'npm', ...found };
}
