/**
 * Extensions of the hosted service that need compiled files and whose types or functions migrations use. A control file
 * without them makes CREATE EXTENSION fail with the command that adds the files, instead of with PostgreSQL's own hint.
 */
import { quoteLiteral } from '../../identifier.ts';
import type { GeneratedExtension } from './generated-extension.ts';

/** Version that `pg_available_extensions` shows for an extension without files. */
const MISSING_VERSION = 'missing';

const POSTGIS = ['postgresql-18-postgis-3', 'postgresql-18-postgis-3-scripts'];

/** Names of the Debian packages with the files of each extension; empty if Debian has none. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  address_standardizer: POSTGIS,
  address_standardizer_data_us: POSTGIS,
  pg_hashids: [],
  pg_partman: ['postgresql-18-partman'],
  pgroonga: [],
  pgroonga_database: [],
  pgrouting: ['postgresql-18-pgrouting', 'postgresql-18-pgrouting-scripts', ...POSTGIS],
  pgtap: ['postgresql-18-pgtap'],
  plcoffee: [],
  plls: [],
  plv8: [],
  postgis: POSTGIS,
  postgis_raster: POSTGIS,
  postgis_sfcgal: POSTGIS,
  postgis_tiger_geocoder: ['postgresql-18-postgis-tiger-geocoder', ...POSTGIS],
  postgis_topology: POSTGIS,
  rum: ['postgresql-18-rum'],
  timescaledb: ['postgresql-18-timescaledb'],
  vector: ['postgresql-18-pgvector'],
};

/** Returns the files of every extension that has to be added, by its name. */
export function missingExtensions(platform = process.platform): ReadonlyMap<string, GeneratedExtension> {
  return new Map(
    Object.entries(PACKAGES).map(([name, packages]) => [
      name,
      generate(name, platform === 'linux' ? packages : []),
    ]),
  );
}

/** @param packages names of packages that this system may have; if empty, the command names a folder */
function generate(name: string, packages: readonly string[]): GeneratedExtension {
  const command = `greenroom extensions add ${packages.length > 0 ? packages.join(' ') : '<folder>'}`;
  const hint = `Add its files for PostgreSQL 18: ${command}`;
  return {
    version: MISSING_VERSION,
    control: [
      `comment = 'Files missing. To add them: ${command}'`,
      `default_version = '${MISSING_VERSION}'`,
      'relocatable = true',
      'trusted = true',
      '',
    ].join('\n'),
    script: [
      'do $$',
      'begin',
      '  raise exception using',
      "    errcode = 'feature_not_supported',",
      `    message = ${quoteLiteral(`extension "${name}" is not available`)},`,
      "    detail = 'Its files are neither part of Greenroom nor of this instance.',",
      `    hint = ${quoteLiteral(hint)};`,
      'end',
      '$$;',
      '',
    ].join('\n'),
  };
}
