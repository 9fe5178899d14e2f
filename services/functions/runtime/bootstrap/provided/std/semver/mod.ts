/** Stands for `@std/semver`. */
export {
  type Comparator,
  formatRange,
  greaterThanRange,
  isRange,
  lessThanRange,
  maxSatisfying,
  minSatisfying,
  type Operator,
  parseRange,
  type Range,
  rangeIntersects,
  satisfies,
  tryParseRange,
} from './range.ts';
export { difference, increment, type ReleaseType } from './release.ts';
export {
  canParse,
  compare,
  equals,
  format,
  greaterOrEqual,
  greaterThan,
  isSemVer,
  lessOrEqual,
  lessThan,
  notEquals,
  parse,
  type SemVer,
  tryParse,
} from './version.ts';
