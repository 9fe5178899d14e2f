/** Finds the files that become objects of a bucket: `objects_path`. */
import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import type { DeclaredBucket } from '../config-file/bucket-keys.ts';
import { ProjectError } from '../project-error.ts';

/** A file, and its key in the bucket. */
export interface ObjectFile {
  /** Absolute path. */
  path: string;
  key: string;
  /** In bytes. */
  size: number;
}

/**
 * Returns the regular files of a bucket's folder and its subfolders by name, or the one file that is named instead of a
 * folder. Throws `ProjectError` if it does not exist.
 */
export async function findObjects({ objects }: Pick<DeclaredBucket, 'objects'>): Promise<ObjectFile[]> {
  if (objects === undefined) return [];
  const { path, origin } = objects;
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'does not exist' : `cannot be read: ${error.message}`;
    throw new ProjectError(`${origin}: ${path} ${reason}`);
  });
  if (found.isFile()) return [{ path, key: basename(path), size: found.size }];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files.sort().map(async (file) => ({
      path: file,
      key: relative(path, file).split(sep).join('/'),
      size: (await stat(file)).size,
    })),
  );
}
