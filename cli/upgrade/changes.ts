/** The difference between two releases. */
import { compare, valid } from 'semver';
import type { Release } from './release.ts';

/** Heading of the changes in a version that require work of its users. */
const BREAKING = 'Breaking changes';

/** The entry of a version in the changelog. */
interface Entry {
  version: string;
  text: string;
}

/** The changes from one release to a newer one. */
export interface Changes {
  /** Entries of the changelog, newest first, without their breaking changes. */
  entries: readonly Entry[];
  /** Texts of the breaking changes, oldest first. */
  breaking: readonly string[];
  /** Platform migrations that the next start applies. */
  migrations: readonly string[];
  /** Programs of another version. */
  programs: readonly { name: string; from: string | undefined; to: string }[];
}

/** Returns the changes of all versions after `from`, up to `to`. */
export function changesBetween(from: Release, to: Release): Changes {
  const entries = entriesOf(to.changelog).filter(
    ({ version }) => compare(version, from.version) > 0 && compare(version, to.version) <= 0,
  );
  const split = entries.map(({ version, text }) => ({ version, ...splitBreaking(text) }));
  const known = new Set(from.migrations);
  return {
    entries: split.map(({ version, others }) => ({ version, text: others })),
    breaking: split
      .map(({ breaking }) => breaking)
      .filter((text) => text !== '')
      .reverse(),
    migrations: to.migrations.filter((file) => !known.has(file)),
    programs: Object.entries(to.programs)
      .filter(([name, version]) => from.programs[name] !== version)
      .map(([name, version]) => ({ name, from: from.programs[name], to: version })),
  };
}

function entriesOf(changelog: string): Entry[] {
  return changelog
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const end = section.indexOf('\n');
      const [version = ''] = section.slice(0, end).split(/\s/);
      return { version, text: section.slice(end).trim() };
    })
    .filter(({ version }) => valid(version) !== null);
}

/** Separates the breaking changes of a version from its other ones. */
function splitBreaking(text: string): { breaking: string; others: string } {
  const parts = text.split(/^(?=### )/m);
  const isBreaking = (part: string) => part.startsWith(`### ${BREAKING}`);
  return {
    breaking: parts
      .filter(isBreaking)
      .map((part) => part.slice(part.indexOf('\n')).trim())
      .join('\n'),
    others: parts
      .filter((part) => !isBreaking(part))
      .join('')
      .trim(),
  };
}
