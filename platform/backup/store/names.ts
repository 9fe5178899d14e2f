/** Names of values in an archive. */
import { ArchiveError } from '../errors.ts';

/** The identity of an archive, which exists when this value exists. */
export const DESCRIPTION_NAME = 'archive.json';
/** Suffix of temporary files. */
export const PARTIAL_SUFFIX = '.partial';
const MAX_NAME_LENGTH = 512;
/** Parts begin with no dot, so that a name can neither leave the archive nor hide in it. */
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;
/** As a name, but its last part may be incomplete or empty. */
const PREFIX = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*(?:[A-Za-z0-9_-][A-Za-z0-9._-]*)?$/;

/** Returns the name; throws kind `refused` if it is not a name of a value. */
export function requireName(name: string): string {
  if (name.length <= MAX_NAME_LENGTH && NAME.test(name) && !name.endsWith(PARTIAL_SUFFIX)) return name;
  throw new ArchiveError(
    'refused',
    `${JSON.stringify(name.slice(0, MAX_NAME_LENGTH))} is not a name in an archive: allowed are relative paths of A-Z a-z 0-9 . _ - whose parts do not begin with a dot, up to ${MAX_NAME_LENGTH} characters`,
  );
}

/** Whether a string is a name of a value. */
export function isName(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && NAME.test(name) && !name.endsWith(PARTIAL_SUFFIX);
}

/** Returns the prefix; throws kind `refused` if no name can start with it. */
export function requirePrefix(prefix: string): string {
  if (prefix.length <= MAX_NAME_LENGTH && PREFIX.test(prefix)) return prefix;
  throw new ArchiveError('refused', `${JSON.stringify(prefix)} is not the beginning of a name in an archive`);
}

/** Compares names by their bytes, which are ASCII. */
export function compareNames(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
