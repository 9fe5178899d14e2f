/** `greenroom functions download`: writes the files of a deployed function into the project. */
import { lstat, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type BundleFile, readArchive } from '@greenroom/functions/client';
import { requireProject } from '../project.ts';
import { type ProjectOptions, readSettings } from '../settings.ts';
import type { InstanceChoice } from './instance-options.ts';
import { pathOf } from './list.ts';
import { type ManagementApi, openManagementApi } from './management-api.ts';

/** Options of {@link downloadFunction}. */
interface DownloadOptions {
  name: string;
  /** Default: the served version. */
  version: number | undefined;
  /** Whether other content is replaced, and files outside of `supabase/` are written. */
  isForced: boolean;
  instance: InstanceChoice;
}

/** Writes the files at their places in the project. Writes nothing if one is refused. Returns lines for the user. */
export async function downloadFunction(options: DownloadOptions, project: ProjectOptions): Promise<string[]> {
  const { name, isForced, instance } = options;
  const { folder } = requireProject(await readSettings(project)).project;
  const api = await openManagementApi(instance, project);
  const version = options.version ?? (await servedVersion(api, name));
  const response = await api.call({ method: 'GET', path: `functions/${pathOf(name)}/versions/${version}` });
  // Checks all paths: the instance may be one of others.
  const bundle = await readArchive(Buffer.from(await response.arrayBuffer()));
  const changed: BundleFile[] = [];
  for (const file of bundle.files) {
    if (!file.path.startsWith('supabase/') && !isForced)
      throw new Error(
        `version ${version} has the file ${file.path}, which is not in supabase/. Use --force to write it.`,
      );
    if (await needsWriting(folder, file, isForced)) changed.push(file);
  }
  for (const { path, content } of changed) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  const lines = changed.map(({ path }) => `wrote ${path}`);
  return [
    ...lines,
    `supabase/functions/${name} has version ${version}${bundle.verifiesJwt ? '' : `, which needs verify_jwt = false in [functions.${name}]`}`,
  ];
}

async function servedVersion(api: ManagementApi, name: string): Promise<number> {
  const versions = await api.json<{ version: number; active: boolean }[]>({
    method: 'GET',
    path: `functions/${pathOf(name)}/versions`,
  });
  return versions.find(({ active }) => active)?.version ?? 1;
}

async function needsWriting(
  folder: string,
  { path, content }: BundleFile,
  isForced: boolean,
): Promise<boolean> {
  await refuseLinks(folder, path);
  const existing = await readFile(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (existing === undefined) return true;
  if (existing.equals(content)) return false;
  if (!isForced) throw new Error(`${path} exists with other content. Use --force to replace it.`);
  return true;
}

/** A link could lead out of the project. */
async function refuseLinks(folder: string, path: string): Promise<void> {
  const parts = path.split('/');
  for (let count = 1; count <= parts.length; count += 1) {
    const part = parts.slice(0, count).join('/');
    const found = await lstat(join(folder, part)).catch(() => undefined);
    if (found?.isSymbolicLink())
      throw new Error(`${part} is a symbolic link, through which nothing is written.`);
  }
}
