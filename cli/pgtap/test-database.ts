/** `greenroom test db`: runs the pgTAP tests of a project, and reports them like pg_prove. */
import { withInterruption } from '../interruption.ts';
import { printLines } from '../print-lines.ts';
import { readProject } from '../read-project.ts';
import type { ProjectOptions } from '../settings.ts';
import { withTargetDatabase } from '../target-database.ts';
import { findTestFiles, type TestFiles } from './find-test-files.ts';
import { fileLines, hasPassed, summaryLines } from './report.ts';
import { runTestFile, type TestFileResult } from './run-test-file.ts';
import { withPgTap } from './with-pgtap.ts';

/** Options of {@link testDatabase}. */
interface TestOptions {
  /** Files and folders; an empty list stands for the tests of the project. */
  paths: readonly string[];
  /** Undefined: the database of the instance. */
  databaseUrl: string | undefined;
  /** Whether the complete output of the files is printed. */
  showsAll: boolean;
}

/** Runs the tests; returns 0 if all have passed, or 1. Throws if the database has no pgTAP. */
export async function testDatabase(options: TestOptions, ofProject: ProjectOptions): Promise<number> {
  const project = await readProject(ofProject);
  const files = await findTestFiles(options.paths, project.toRun.project.supabaseFolder);
  let started = 0;
  const results = await withTargetDatabase(project, options.databaseUrl, (url) => {
    started = performance.now();
    return withInterruption(
      (interrupted) => runAll({ url, files, showsAll: options.showsAll }, interrupted),
      'interrupted; the transaction of the running file was rolled back.',
    );
  });
  printLines(summaryLines(results, (performance.now() - started) / 1000));
  return results.every(hasPassed) ? 0 : 1;
}

interface Run {
  url: string;
  files: TestFiles;
  showsAll: boolean;
}

function runAll({ url, files, showsAll }: Run, interrupted: Promise<never>): Promise<TestFileResult[]> {
  return withPgTap(url, warn, async ({ terminate }) => {
    /** Id of the server process of the file that runs. */
    let pid: number | undefined;
    let isInterrupted = false;
    const width = Math.max(0, ...files.paths.map((path) => path.length));

    async function runFiles(): Promise<TestFileResult[]> {
      const results: TestFileResult[] = [];
      for (const path of files.paths) {
        if (isInterrupted || results.at(-1)?.bailOut !== undefined) break;
        const result = await runTestFile({
          url,
          path,
          folder: files.folder,
          onConnected: (connection) => {
            if (isInterrupted) throw new Error('interrupted');
            pid = connection.pid;
          },
          onLine: (line) => (showsAll ? printLines([line]) : undefined),
          onMessage: printMessage,
        });
        if (isInterrupted) break;
        if (result.error !== undefined) printMessage(result.error);
        printLines(fileLines(result, width));
        results.push(result);
      }
      return results;
    }

    const running = runFiles();
    try {
      return await Promise.race([running, interrupted]);
    } catch (error) {
      // The extension can be dropped only when no statement uses it any more.
      isInterrupted = true;
      if (pid !== undefined) await terminate(pid);
      await running.catch(() => undefined);
      throw error;
    }
  });
}

function warn(reason: string): void {
  printMessage(`warning: the extension pgtap remains in the database: ${reason}`);
}

function printMessage(text: string): void {
  process.stderr.write(`${text}\n`);
}
