/** Versions (https://semver.org), as `@std/semver` represents them. */

/** A version. */
export interface SemVer {
  major: number;
  minor: number;
  patch: number;
  prerelease?: (string | number)[];
  build?: string[];
}

const NUMBER = '0|[1-9]\\d*';
const WORD = `(?:${NUMBER}|\\d*[a-zA-Z-][\\da-zA-Z-]*)`;
/** After the numbers: prerelease and build. */
export const LABELS = `(?:-(?<prerelease>${WORD}(?:\\.${WORD})*))?(?:\\+(?<build>[\\da-zA-Z-]+(?:\\.[\\da-zA-Z-]+)*))?`;
const VERSION = new RegExp(`^v?(?<major>${NUMBER})\\.(?<minor>${NUMBER})\\.(?<patch>${NUMBER})${LABELS}$`);
const MAX_LENGTH = 256;

/** Returns the version of a text. Throws if it has none. */
export function parse(value: string): SemVer {
  if (typeof value !== 'string') throw new TypeError('a version must be a string');
  const groups = value.length > MAX_LENGTH ? undefined : VERSION.exec(value.trim())?.groups;
  const [major, minor, patch] = [groups?.major, groups?.minor, groups?.patch].map(Number);
  if (groups === undefined || ![major, minor, patch].every(Number.isSafeInteger))
    throw new TypeError(`"${value}" is not a version`);
  return { major, minor, patch, ...labelsOf(groups) } as SemVer;
}

/** Returns prerelease and build of the groups of an expression. */
export function labelsOf({ prerelease, build }: Record<string, string | undefined>) {
  return {
    prerelease: prerelease?.split('.').map((word) => (/^\d+$/.test(word) ? Number(word) : word)) ?? [],
    build: build?.split('.') ?? [],
  };
}

/** Returns the version of a text; undefined if it has none. */
export function tryParse(value: string): SemVer | undefined {
  try {
    return parse(value);
  } catch {
    return undefined;
  }
}

/** Whether a text is a version. */
export function canParse(value: string): boolean {
  return tryParse(value) !== undefined;
}

/** Whether a value is a version. */
export function isSemVer(value: unknown): value is SemVer {
  const { major, minor, patch, prerelease = [], build = [] } = (value ?? {}) as Partial<SemVer>;
  return [major, minor, patch].every(Number.isInteger) && Array.isArray(prerelease) && Array.isArray(build);
}

/** Returns the text of a version. */
export function format({ major, minor, patch, prerelease = [], build = [] }: SemVer): string {
  const before = prerelease.length > 0 ? `-${prerelease.join('.')}` : '';
  const after = build.length > 0 ? `+${build.join('.')}` : '';
  return `${major}.${minor}.${patch}${before}${after}`;
}

/** Returns 1, 0 or -1. Builds have no order. */
export function compare(a: SemVer, b: SemVer): 1 | 0 | -1 {
  return (
    order(a.major, b.major) ||
    order(a.minor, b.minor) ||
    order(a.patch, b.patch) ||
    comparePrereleases(a.prerelease ?? [], b.prerelease ?? [])
  );
}

type Word = string | number;

function order(a: Word, b: Word): 1 | 0 | -1 {
  if (a === b) return 0;
  return a > b ? 1 : -1;
}

/** A release comes after its prereleases, numbers before words, and a longer list after its beginning. */
function comparePrereleases(a: readonly Word[], b: readonly Word[]): 1 | 0 | -1 {
  if (a.length === 0 || b.length === 0) return order(b.length > 0 ? 1 : 0, a.length > 0 ? 1 : 0);
  for (const [index, word] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const result =
      typeof word === typeof other
        ? order(word, other)
        : order(typeof word === 'string' ? 1 : 0, typeof other === 'string' ? 1 : 0);
    if (result !== 0) return result;
  }
  return order(a.length, b.length);
}

export const equals = (a: SemVer, b: SemVer): boolean => compare(a, b) === 0;
export const notEquals = (a: SemVer, b: SemVer): boolean => compare(a, b) !== 0;
export const greaterThan = (a: SemVer, b: SemVer): boolean => compare(a, b) > 0;
export const greaterOrEqual = (a: SemVer, b: SemVer): boolean => compare(a, b) >= 0;
export const lessThan = (a: SemVer, b: SemVer): boolean => compare(a, b) < 0;
export const lessOrEqual = (a: SemVer, b: SemVer): boolean => compare(a, b) <= 0;
