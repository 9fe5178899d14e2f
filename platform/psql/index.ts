/** Scripts for psql: reading their statements, commands and rows, and running them on one connection. */
export { readScript } from './read-script.ts';
export { runScript } from './run-script.ts';
export { openScriptConnection, type ScriptConnection } from './script-connection.ts';
export { ScriptError } from './script-error.ts';
export type { ScriptCommand, ScriptReader, ScriptStatement } from './script-reader.ts';
