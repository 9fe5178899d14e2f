/** Scripts for psql: reading their statements, commands and rows, and running them on one connection. */
export { runScript } from './run-script.ts';
export { openScriptConnection, type ScriptConnection } from './script-connection.ts';
export { ScriptError } from './script-error.ts';
