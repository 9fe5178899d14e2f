/** The provided `@std/semver`, against npm's implementation. */
import semver from 'semver';
import { expect, it } from 'vitest';
import {
  canParse,
  compare,
  difference,
  format,
  formatRange,
  greaterThanRange,
  increment,
  isRange,
  isSemVer,
  lessThanRange,
  maxSatisfying,
  minSatisfying,
  parse,
  parseRange,
  type ReleaseType,
  rangeIntersects,
  satisfies,
  tryParse,
  tryParseRange,
} from './bootstrap/provided/std/semver/mod.ts';

const VERSIONS = [
  '0.0.0',
  '0.0.3',
  '0.0.4',
  '0.1.0',
  '0.2.3',
  '0.3.0',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  '1.0.0',
  '1.2.3',
  '1.2.4-beta.0',
  '1.9.9',
  '2.0.0-0',
  '2.0.0',
  '2.3.4+build.5',
  '10.0.0',
];
const RANGES = [
  '',
  '*',
  '1',
  '1.x',
  '1.2',
  '1.2.3',
  '=1.2.3',
  '^1.2.3',
  '^0.2.3',
  '^0.0.3',
  '^0.1',
  '^0',
  '^1.x',
  '~1.2.3',
  '~1.2',
  '~0',
  '~> 1.2',
  '>1',
  '>1.2',
  '>1.2.3',
  '>=1.2',
  '<=1',
  '<=1.2.3',
  '<2',
  '<2.0.0',
  '1.2.3 - 2.3',
  '1 - 2',
  '>=1.0.0-alpha <1.0.0',
  '^1.0.0-beta.2',
  '<0.0.4 || ^2',
  '>= 1.2.3 < 2.0.0',
  '>*',
  '>1.2.3 <1.2.3',
];

it('versions are parsed, formatted and ordered', () => {
  for (const version of VERSIONS) expect(format(parse(version))).toBe(version);
  for (const a of VERSIONS)
    for (const b of VERSIONS) expect(compare(parse(a), parse(b))).toBe(semver.compare(a, b));
  expect(parse('v1.2.3')).toEqual({ major: 1, minor: 2, patch: 3, prerelease: [], build: [] });
  for (const invalid of ['1.2', '01.2.3', '1.2.3-01', 'one', ''])
    expect([canParse(invalid), tryParse(invalid)]).toEqual([false, undefined]);
  expect(() => parse('1.2')).toThrow('"1.2" is not a version');
  expect([isSemVer(parse('1.2.3')), isSemVer({ major: 1 }), isSemVer(undefined)]).toEqual([
    true,
    false,
    false,
  ]);
});

it('ranges contain the versions that npm finds in them', () => {
  const found = (contains: (version: string, range: string) => boolean) =>
    RANGES.map((range) => [range, VERSIONS.filter((version) => contains(version, range))]);
  expect(found((version, range) => satisfies(parse(version), parseRange(range)))).toEqual(
    found((version, range) => semver.satisfies(version, range)),
  );
  const all = VERSIONS.map(parse);
  expect([
    maxSatisfying(all, parseRange('^1.2')),
    minSatisfying(all, parseRange('^1.2')),
    maxSatisfying(all, parseRange('^7')),
  ]).toEqual([parse('1.9.9'), parse('1.2.3'), undefined]);
});

it('ranges intersect, or lie on one side of a version, as for npm', () => {
  // npm counts prereleases of the next major version, which no range contains, and `>*`.
  const ranges = RANGES.filter((range) => !/alpha|beta|>\*/.test(range));
  const pairs = ranges.flatMap((a) => ranges.map((b) => [a, b] as const));
  expect(pairs.filter(([a, b]) => rangeIntersects(parseRange(a), parseRange(b)))).toEqual(
    pairs.filter(([a, b]) => semver.intersects(a, b)),
  );
  expect([
    greaterThanRange(parse('2.0.0'), parseRange('^1')),
    greaterThanRange(parse('1.5.0'), parseRange('^1')),
  ]).toEqual([true, false]);
  expect([
    lessThanRange(parse('0.9.0'), parseRange('^1')),
    lessThanRange(parse('0.9.0'), parseRange('*')),
  ]).toEqual([true, false]);
});

it('a range is formatted, and a text that is none is refused', () => {
  expect(formatRange(parseRange('^1.2 || *'))).toBe('>=1.2.0 <2.0.0||*');
  expect(tryParseRange('one')).toBeUndefined();
  expect(() => parseRange('1.2.3.4')).toThrow('"1.2.3.4" is not a range of versions');
  expect([isRange(parseRange('^1')), isRange('^1')]).toEqual([true, false]);
});

it('the next version is that of npm', () => {
  const steps: ReleaseType[] = ['major', 'premajor', 'minor', 'preminor', 'patch', 'prepatch', 'prerelease'];
  for (const version of ['1.2.3', '1.2.3-alpha.1', '2.0.0-beta.0', '1.3.0-rc'])
    for (const step of steps) {
      if (step === 'pre') continue;
      const expected = semver.inc(version, step);
      expect([version, step, format(increment(parse(version), step))]).toEqual([version, step, expected]);
      const named = semver.inc(version, step, 'alpha');
      expect([version, step, format(increment(parse(version), step, { prerelease: 'alpha' }))]).toEqual([
        version,
        step,
        named,
      ]);
    }
  expect(difference(parse('1.2.3'), parse('1.3.0'))).toBe('minor');
  expect(difference(parse('1.2.3'), parse('2.0.0-alpha'))).toBe('premajor');
  expect(difference(parse('1.2.3'), parse('1.2.3'))).toBeUndefined();
});
