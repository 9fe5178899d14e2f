/** The buckets that a config.toml declares: `storage.buckets.<name>`. */
import { resolve } from 'node:path';
import { bytesText, type ConfigProblem, type ConfigValue, ConfigValueError } from '@greenroom/config';
import type { Project } from '../find-project.ts';
import { type ConfigDocument, isTable, valueAt } from './document.ts';
import { booleanOf, readerOf, reportTo, textOf, textsOf } from './key-values.ts';

/** A declared bucket. A property that the file does not contain is undefined. */
export interface DeclaredBucket {
  name: string;
  isPublic: boolean | undefined;
  /** In bytes; 0 is the limit of the instance. */
  fileSizeLimit: number | undefined;
  allowedMimeTypes: readonly string[] | undefined;
  /** A folder, or a file, whose content becomes objects of the bucket. */
  objects: DeclaredObjects | undefined;
}

/** Objects of a bucket. */
interface DeclaredObjects {
  /** Absolute path. */
  path: string;
  /** The key and its place, for messages: `supabase/config.toml:12: storage.buckets.avatars.objects_path`. */
  origin: string;
}

/** Names of the keys of a bucket. */
export const BUCKET_KEYS = ['public', 'file_size_limit', 'allowed_mime_types', 'objects_path'] as const;

const NAME = /^[\w!.*'() &$@=;:+,?-]{1,100}$/;
const ALLOWED_NAME = "a name of at most 100 letters, digits, blanks and ! - . _ * ' ( ) & $ @ = ; : + , ?";
const TABLE = ['storage', 'buckets'];

/** Reads the buckets. Values that are not allowed are problems. */
export function readBuckets(
  document: ConfigDocument,
  { supabaseFolder }: Pick<Project, 'supabaseFolder'>,
): { buckets: readonly DeclaredBucket[]; problems: readonly ConfigProblem[] } {
  const problems: ConfigProblem[] = [];
  const declared = valueAt(document.values, TABLE);
  const report = reportTo(problems, document);

  function readBucket([name, table]: [string, ConfigValue]): DeclaredBucket[] {
    const path = [...TABLE, name];
    if (!NAME.test(name)) report(path, name, ALLOWED_NAME);
    if (!isTable(table)) {
      report(path, table, `a table with ${BUCKET_KEYS.join(', ')}`);
      return [];
    }
    const read = readerOf<(typeof BUCKET_KEYS)[number]>(table, path, report);
    const objectsPath = read('objects_path', textOf, 'a path');
    return [
      {
        name,
        isPublic: read('public', booleanOf, 'true, false'),
        fileSizeLimit: read('file_size_limit', bytesOf, 'bytes, or a number with a unit such as 50MiB'),
        allowedMimeTypes: read('allowed_mime_types', textsOf, 'a list of media types such as image/png'),
        objects: objectsPath
          ? {
              path: resolve(supabaseFolder, objectsPath),
              origin: `${document.placeOf([...path, 'objects_path'])}: ${[...path, 'objects_path'].join('.')}`,
            }
          : undefined,
      },
    ];
  }

  const buckets = isTable(declared) ? Object.entries(declared).flatMap(readBucket) : [];
  return { buckets, problems };
}

function bytesOf(value: ConfigValue): number | undefined {
  try {
    return Number(bytesText(value));
  } catch (error) {
    if (error instanceof ConfigValueError) return undefined;
    throw error;
  }
}
