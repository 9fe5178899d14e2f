/** Ranges of versions, as `@std/semver` represents them: alternatives of comparators that must all match. */
import { compare, equals, format, LABELS, labelsOf, type SemVer } from './version.ts';

/** How a version compares; without an operator, it is equal. */
export type Operator = undefined | '=' | '!=' | '>' | '>=' | '<' | '<=';

/** A comparison with a version. Numbers that are not a number match every version. */
export interface Comparator extends SemVer {
  operator?: Operator;
}

/** Alternatives. */
export type Range = Comparator[][];

const PART = '(?<NAME>0|[1-9]\\d*|[xX*])';
const part = (name: string) => PART.replace('NAME', name);
const COMPARATOR = new RegExp(
  `^(?<operator>~>|[~^]|[<>]=?|=)?\\s*v?${part('major')}(?:\\.${part('minor')}(?:\\.${part('patch')}${LABELS})?)?$`,
);
const EVERYTHING: Comparator = {
  operator: undefined,
  major: NaN,
  minor: NaN,
  patch: NaN,
  prerelease: [],
  build: [],
};

/** Returns the range of a text such as `^1.2.0 || >=3`. Throws if it is not valid. */
export function parseRange(value: string): Range {
  return value.split('||').map((alternative) => parseAlternative(alternative.trim()));
}

/** Returns the range of a text; undefined if it is not valid. */
export function tryParseRange(value: string): Range | undefined {
  try {
    return parseRange(value);
  } catch {
    return undefined;
  }
}

/** Whether a value is a range. */
export function isRange(value: unknown): value is Range {
  return (
    Array.isArray(value) &&
    value.every((set) => Array.isArray(set) && set.every((each) => typeof each?.major === 'number'))
  );
}

function parseAlternative(text: string): Comparator[] {
  if (text === '') return [EVERYTHING];
  const [from, to] = text.split(/\s+-\s+/);
  if (from !== undefined && to !== undefined)
    return [...parseComparator(`>=${from}`), ...parseComparator(`<=${to}`)];
  return text
    .replaceAll(/(~>|[~^]|[<>]=?|=)\s+/g, '$1')
    .split(/\s+/)
    .flatMap(parseComparator);
}

/** The numbers of a comparator; those that it leaves open are undefined. */
interface Partial {
  major: number;
  minor: number | undefined;
  patch: number | undefined;
  prerelease: (string | number)[];
  build: string[];
}

function parseComparator(text: string): Comparator[] {
  const groups = COMPARATOR.exec(text)?.groups;
  if (groups === undefined) throw new TypeError(`"${text}" is not a range of versions`);
  const numberOf = (name: string) => (/^\d/.test(groups[name] ?? '') ? Number(groups[name]) : undefined);
  const { operator = '' } = groups;
  const major = numberOf('major');
  if (major === undefined) return /^[<>]$/.test(operator) ? [at('<', 0, 0, 0)] : [EVERYTHING];
  const minor = numberOf('minor');
  const patch = minor === undefined ? undefined : numberOf('patch');
  return comparatorsOf(operator, { major, minor, patch, ...labelsOf(groups) });
}

function comparatorsOf(operator: string, version: Partial): Comparator[] {
  const { major, minor, patch, prerelease, build } = version;
  const lower = { major, minor: minor ?? 0, patch: patch ?? 0, prerelease, build };
  const isOpen = patch === undefined;
  switch (operator) {
    case '^':
      return [{ operator: '>=', ...lower }, afterCaret(version)];
    case '~':
    case '~>':
      return [{ operator: '>=', ...lower }, after(version)];
    case '>':
      return [isOpen ? { ...after(version), operator: '>=' } : { operator, ...lower }];
    case '<=':
      return [isOpen ? after(version) : { operator, ...lower }];
    case '>=':
    case '<':
      return [{ operator, ...lower }];
    default:
      return isOpen
        ? [{ operator: '>=', ...lower }, after(version)]
        : [{ operator: operator === '=' ? '=' : undefined, ...lower }];
  }
}

function at(operator: Operator, major: number, minor: number, patch: number): Comparator {
  return { operator, major, minor, patch, prerelease: [], build: [] };
}

/** Below the next version of the second number, or of the first if the second is open. */
function after({ major, minor }: Partial): Comparator {
  return minor === undefined ? at('<', major + 1, 0, 0) : at('<', major, minor + 1, 0);
}

/** Below the next version of the first number that is not 0. */
function afterCaret({ major, minor, patch }: Partial): Comparator {
  if (major > 0 || minor === undefined) return at('<', major + 1, 0, 0);
  if (minor > 0 || patch === undefined) return at('<', 0, minor + 1, 0);
  return at('<', 0, 0, patch + 1);
}

/** Returns the text of a range. */
export function formatRange(range: Range): string {
  const textOf = (comparator: Comparator) =>
    Number.isNaN(comparator.major) ? '*' : `${comparator.operator ?? ''}${format(comparator)}`;
  return range.map((set) => set.map(textOf).join(' ')).join('||');
}

function matches(version: SemVer, { operator, ...other }: Comparator): boolean {
  if (Number.isNaN(other.major)) return true;
  const result = compare(version, other);
  switch (operator) {
    case '>':
      return result > 0;
    case '>=':
      return result >= 0;
    case '<':
      return result < 0;
    case '<=':
      return result <= 0;
    case '!=':
      return result !== 0;
    default:
      return result === 0;
  }
}

/** Whether a range contains a version. A prerelease must be named: `^1.2.3-alpha` has prereleases of 1.2.3 only. */
export function satisfies(version: SemVer, range: Range): boolean {
  const release = { ...version, prerelease: [] };
  const isNamed = (set: Comparator[]) =>
    !version.prerelease?.length ||
    set.some((each) => each.prerelease?.length && equals({ ...each, prerelease: [] }, release));
  return range.some((set) => set.every((each) => matches(version, each)) && isNamed(set));
}

/** Returns the highest of the versions in a range; undefined if there is none. */
export function maxSatisfying(versions: SemVer[], range: Range): SemVer | undefined {
  return versions
    .filter((each) => satisfies(each, range))
    .toSorted(compare)
    .at(-1);
}

/** Returns the lowest of the versions in a range; undefined if there is none. */
export function minSatisfying(versions: SemVer[], range: Range): SemVer | undefined {
  return versions.filter((each) => satisfies(each, range)).toSorted(compare)[0];
}

/** Comparators of which a version must satisfy the strictest. */
function boundsOf(set: readonly Comparator[]) {
  const known = set.filter(({ major }) => !Number.isNaN(major));
  const isEqual = ({ operator }: Comparator) => operator === undefined || operator === '=';
  const byExclusion = (a: Comparator, b: Comparator) => Number(isExclusive(a)) - Number(isExclusive(b));
  const lower = known
    .filter((each) => isEqual(each) || each.operator?.startsWith('>'))
    .toSorted((a, b) => compare(a, b) || byExclusion(a, b))
    .at(-1);
  const upper = known
    .filter((each) => isEqual(each) || each.operator?.startsWith('<'))
    .toSorted((a, b) => compare(b, a) || byExclusion(a, b))
    .at(-1);
  return { lower, upper };
}

function isExclusive({ operator }: Comparator): boolean {
  return operator === '<' || operator === '>';
}

/** Whether two ranges have versions in common. */
export function rangeIntersects(first: Range, second: Range): boolean {
  return first.some((a) =>
    second.some((b) => isSatisfiable(a) && isSatisfiable(b) && isSatisfiable([...a, ...b])),
  );
}

function isSatisfiable(set: readonly Comparator[]): boolean {
  const { lower, upper } = boundsOf(set);
  if (upper !== undefined && upper.operator === '<' && equals(upper, at('<', 0, 0, 0))) return false;
  if (lower === undefined || upper === undefined) return true;
  const result = compare(lower, upper);
  return result < 0 || (result === 0 && !isExclusive(lower) && !isExclusive(upper));
}

/** Whether a version is higher than all versions of a range. */
export function greaterThanRange(version: SemVer, range: Range): boolean {
  return range.every((set) => {
    const { upper } = boundsOf(set);
    return (
      upper !== undefined && (compare(version, upper) > 0 || (isExclusive(upper) && equals(version, upper)))
    );
  });
}

/** Whether a version is lower than all versions of a range. */
export function lessThanRange(version: SemVer, range: Range): boolean {
  return range.every((set) => {
    const { lower } = boundsOf(set);
    return (
      lower !== undefined && (compare(version, lower) < 0 || (isExclusive(lower) && equals(version, lower)))
    );
  });
}
