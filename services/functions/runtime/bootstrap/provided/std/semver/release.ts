/** Steps from a version to the next one, as `@std/semver` names them. */
import { compare, type SemVer } from './version.ts';

/** The kind of a step. */
export type ReleaseType =
  | 'pre'
  | 'major'
  | 'premajor'
  | 'minor'
  | 'preminor'
  | 'patch'
  | 'prepatch'
  | 'prerelease';

/** Returns the most significant difference of two versions; undefined if there is none. */
export function difference(a: SemVer, b: SemVer): ReleaseType | undefined {
  const isPrerelease = [a, b].some(({ prerelease = [] }) => prerelease.length > 0);
  for (const part of ['major', 'minor', 'patch'] as const)
    if (a[part] !== b[part]) return isPrerelease ? `pre${part}` : part;
  return compare(a, b) === 0 ? undefined : 'prerelease';
}

/** Options of {@link increment}. */
interface IncrementOptions {
  /** Word of the prerelease, e.g. `alpha`. */
  prerelease?: string;
  build?: string;
}

/** Returns the next version. */
export function increment(version: SemVer, release: ReleaseType, options: IncrementOptions = {}): SemVer {
  const { prerelease = [] } = version;
  const build = options.build === undefined ? (version.build ?? []) : options.build.split('.');
  const next = { ...numbersAfter(version, release), build };
  const startsAgain = release !== 'pre' && (release !== 'prerelease' || prerelease.length === 0);
  const isPrerelease = release.startsWith('pre');
  return {
    ...next,
    prerelease: isPrerelease ? nextPrerelease(startsAgain ? [] : prerelease, options.prerelease) : [],
  };
}

/** A prerelease becomes the release that it precedes. */
function numbersAfter({ major, minor, patch, prerelease = [] }: SemVer, release: ReleaseType) {
  const isPrerelease = prerelease.length > 0;
  switch (release) {
    case 'major':
      return { major: isPrerelease && minor === 0 && patch === 0 ? major : major + 1, minor: 0, patch: 0 };
    case 'premajor':
      return { major: major + 1, minor: 0, patch: 0 };
    case 'minor':
      return { major, minor: isPrerelease && patch === 0 ? minor : minor + 1, patch: 0 };
    case 'preminor':
      return { major, minor: minor + 1, patch: 0 };
    case 'patch':
    case 'prerelease':
      return { major, minor, patch: isPrerelease ? patch : patch + 1 };
    case 'prepatch':
      return { major, minor, patch: patch + 1 };
    case 'pre':
      return { major, minor, patch };
  }
}

/** Counts the last number up. Another word begins at 0. */
function nextPrerelease(words: readonly (string | number)[], word: string | undefined): (string | number)[] {
  const last = words.findLastIndex((value) => typeof value === 'number');
  const counted =
    last < 0 ? [...words, 0] : words.map((value, index) => (index === last ? Number(value) + 1 : value));
  if (word === undefined) return counted;
  return counted[0] === word && typeof counted[1] === 'number' ? counted : [word, 0];
}
