/**
 * Finds the program and a Node.js that can run it. This module runs on the Node.js of the caller, which may be older than
 * the one that Greenroom needs.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findNode } from '../find-node.mjs';

const CLI = new URL('../', import.meta.url);

/** A command line without the arguments of the program. */
interface Program {
  /** Path of Node.js. */
  node: string;
  /** Path of the entry point. */
  entry: string;
}

/** An entry point of the program: its name in the bundle, and its source, which an installed package does not have. */
interface EntryPoint {
  built: string;
  source: string;
}

/** Returns how to run an entry point: its bundle, or its source if the program has not been bundled yet. */
export function findProgram({ built, source }: EntryPoint): Program {
  const candidates = [new URL(`build/${built}`, CLI), new URL(source, CLI)].map((url) => fileURLToPath(url));
  const entry = candidates.find((path) => existsSync(path));
  if (entry === undefined) throw new Error(`the program of Greenroom is missing: ${candidates[0]}`);
  return { node: findNode(), entry };
}
