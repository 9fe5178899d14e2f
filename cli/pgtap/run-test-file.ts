/** Runs one file of tests in a session of its own. */
import { openScriptConnection, runScript, type ScriptConnection, ScriptError } from '@greenroom/psql';
import { TapReader, type TapResult } from './tap.ts';

/** Options of {@link runTestFile}. */
interface TestFileRun {
  url: string;
  /** Path relative to the current folder. */
  path: string;
  /** Folder to which the paths of `\i` are relative. */
  folder: string;
  /** Receives the connection before its first statement. */
  onConnected: (connection: ScriptConnection) => void;
  /** Receives each line of the output. */
  onLine: (line: string) => void;
  /** Receives notices of the server and errors. */
  onMessage: (text: string) => void;
}

/** The results of a file. */
export interface TestFileResult extends TapResult {
  path: string;
  /** The error that ended the file before its end; undefined if none did. */
  error: string | undefined;
  /** Whether the file ended in a transaction, which is then rolled back. */
  wasOpen: boolean;
}

/** Runs a file. Errors of its statements are part of the result; it rejects with errors of the connection. */
export async function runTestFile(run: TestFileRun): Promise<TestFileResult> {
  const { url, path, folder, onConnected, onLine, onMessage } = run;
  const tap = new TapReader();
  const connection = await openScriptConnection({
    url,
    applicationName: 'greenroom test db',
    onNotice: ({ severity, message }) => onMessage(`${severity}:  ${message}`),
  });
  const addOutput = (text: string) => {
    for (const line of text.split('\n')) {
      tap.add(line);
      onLine(line);
    }
  };
  try {
    onConnected(connection);
    const error = await errorOf(runScript({ connection, path, folder, onOutput: addOutput, onMessage }));
    return { path, ...tap.finish(), error, wasOpen: error === undefined && connection.isInTransaction() };
  } finally {
    await connection.close();
  }
}

async function errorOf(running: Promise<void>): Promise<string | undefined> {
  try {
    await running;
    return undefined;
  } catch (error) {
    if (error instanceof ScriptError) return error.message;
    throw error;
  }
}
