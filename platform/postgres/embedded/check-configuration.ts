/** Checks the configuration files of the embedded server before it reads them, and explains their errors. */
import { execFile } from 'node:child_process';
import { spawnOptions } from './run-as.ts';
import { type ServerProcessOptions, serverArguments } from './server-process.ts';

/** Any setting that PostgreSQL prints without opening the cluster. */
const PRINTED_SETTING = 'data_directory';
/** PostgreSQL checks all values of a file, and ends with this line if one is wrong. */
const SUMMARY = /^configuration file "([^"]*)" contains errors$/;
const LEVEL = /^(?:LOG|WARNING|ERROR|FATAL):\s+(.*)$/;
const EXPLANATION = /^(?:HINT|DETAIL):\s+(.*)$/;
const LOCATION = / in file "([^"]+)" line (\d+)/;

/** The configuration of the embedded server has errors. */
class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** Options of {@link checkConfiguration}. */
export interface CheckOptions extends Omit<ServerProcessOptions, 'port' | 'onLog'> {
  /** The user's file; the server reads a copy of its content. */
  userFile: { path: string; content: string } | undefined;
  /** End of the path of that copy. */
  userCopy: string;
}

/** Makes PostgreSQL read the configuration as it would at a start. Throws {@link ConfigurationError}. */
export async function checkConfiguration({ userFile, userCopy, ...server }: CheckOptions): Promise<void> {
  // The port is required but never opened.
  const args = [...serverArguments({ ...server, port: 1 }), '-C', PRINTED_SETTING];
  const options = { ...spawnOptions(server.runAs), cwd: server.directory };
  const output = await new Promise<string>((resolve) => {
    execFile(server.binaries.postgres, args, options, (error, _, stderr) => {
      resolve(error === null ? '' : stderr.trim() || error.message);
    });
  });
  if (output !== '') throw new ConfigurationError(explainErrors(output, userFile, userCopy));
}

/** Returns one line for each error, with the user's file and line if the error is there. */
function explainErrors(output: string, userFile: CheckOptions['userFile'], userCopy: string): string {
  const errors: string[] = [];
  let isUsers = false;
  for (const line of output.split('\n')) {
    const [, message] = LEVEL.exec(line) ?? [];
    const [, explanation] = EXPLANATION.exec(line) ?? [];
    const summary = message === undefined ? undefined : SUMMARY.exec(message);
    if (summary) isUsers = summary[1]?.endsWith(userCopy) ?? false;
    else if (message !== undefined) errors.push(message);
    else if (explanation !== undefined && errors.length > 0) errors.push(`${errors.pop()} (${explanation})`);
  }
  if (errors.length === 0) return `PostgreSQL cannot read its configuration: ${output}`;
  if (userFile === undefined) return errors.join('\n');
  return errors.map((error) => withLocation(error, userFile, { userCopy, isUsers })).join('\n');
}

function withLocation(
  error: string,
  { path, content }: { path: string; content: string },
  { userCopy, isUsers }: { userCopy: string; isUsers: boolean },
): string {
  const [text, file, line] = LOCATION.exec(error) ?? [];
  if (text !== undefined && file !== undefined) {
    return `${file.endsWith(userCopy) ? path : file}, line ${line}: ${error.replace(text, '')}`;
  }
  // PostgreSQL reports no line for a value that it rejects.
  const [, name = ''] = /parameter "([^"]+)"/.exec(error) ?? [];
  const found = isUsers ? lastLineOf(name, content) : undefined;
  if (found !== undefined) return `${path}, line ${found}: ${error}`;
  return isUsers ? `${path}: ${error}` : error;
}

/** Returns the number of the last line that sets a parameter, which is the line that takes effect. */
function lastLineOf(name: string, content: string): number | undefined {
  const lines = content.split('\n');
  const last = lines.findLastIndex((line) => {
    const [word] = line.trimStart().split(/[\s=]/, 1);
    return name !== '' && word?.toLowerCase() === name.toLowerCase();
  });
  return last < 0 ? undefined : last + 1;
}
