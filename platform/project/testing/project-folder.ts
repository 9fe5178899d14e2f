/** Projects in temporary folders, for tests. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Project } from '../find-project.ts';

/** A project that is removed at the end of its scope. */
interface TestProject extends Project, AsyncDisposable {
  /** Writes a file below `supabase/`. */
  write(path: string, content: string): Promise<void>;
  remove(path: string): Promise<void>;
}

/** Creates a project with these files below `supabase/`. */
export async function createTestProject(files: Record<string, string> = {}): Promise<TestProject> {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-project-'));
  const supabaseFolder = join(folder, 'supabase');
  const write = async (path: string, content: string) => {
    const location = join(supabaseFolder, path);
    await mkdir(dirname(location), { recursive: true });
    await writeFile(location, content);
  };
  await mkdir(supabaseFolder);
  for (const [path, content] of Object.entries(files)) await write(path, content);
  return {
    folder,
    supabaseFolder,
    write,
    remove: (path) => rm(join(supabaseFolder, path)),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
