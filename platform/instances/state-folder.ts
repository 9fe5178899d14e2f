/** The folder for the state of the user that belongs to no project. */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * Returns `greenroom` in `XDG_STATE_HOME`, by default in `~/.local/state`. A relative `XDG_STATE_HOME` is ignored (XDG Base
 * Directory Specification 0.8).
 */
export function stateFolder(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const { XDG_STATE_HOME: configured } = env;
  const home = configured !== undefined && isAbsolute(configured) ? configured : undefined;
  return join(home ?? join(homedir(), '.local', 'state'), 'greenroom');
}
