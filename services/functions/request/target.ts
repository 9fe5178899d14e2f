/** Reads which function a request is for. */

/** A request's function and the target that the function sees. */
export interface Target {
  name: string;
  /** Path and query without the prefix, e.g. `/hello/1?x=2`. */
  path: string;
}

const TARGET = /^\/(?<name>[A-Za-z][A-Za-z0-9_-]*)(?=[/?#]|$)/;

/** Returns the target of a URL below the prefix of the service; undefined if it names no function. */
export function targetOf(url: string): Target | undefined {
  const name = TARGET.exec(url)?.groups?.name;
  return name === undefined ? undefined : { name, path: url };
}
