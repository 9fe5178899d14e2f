/**
 * A function that can be started: a copy of its files that no edit changes, with everything that it imports.
 *
 *     {folder}/{hash}/source/…       the project's files, with their places to each other
 *     {folder}/{hash}/bootstrap/     the program that imports them
 *     {folder}/{hash}/node_modules/  npm packages, if all of them are installed
 *     {folder}/{hash}/deno.json      import map and compiler options
 *     {folder}/{hash}/cache/         compiled code, and packages from the network
 */
export interface PreparedFunction {
  /** Absolute path of the copy. */
  folder: string;
  /** Absolute path of the function's module in the copy. */
  entry: string;
  /** Absolute path of `deno.json`. */
  config: string;
  /** Absolute path of Deno's cache, of which each process has a copy. */
  cache: string;
  /** Absolute path of the versions of its packages, which a download writes. */
  lock: string;
  /** Identifies the files and their content. */
  hash: string;
  /** Whether its files call a method `listen`, as servers of Node.js have. */
  hasNodeServer: boolean;
  /** Whether nothing comes from the network. */
  isOffline: boolean;
  /** Variables by which Deno finds the packages of other registries in the cache. */
  registries: Readonly<Record<string, string>>;
  /** Absolute paths of files and folders; while they are unchanged, so is the function. */
  inputs: readonly string[];
}
