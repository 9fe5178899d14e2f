import { PLACEHOLDER_VERSION } from '@greenroom/postgres';
import { defineLint } from '../lint.ts';

/**
 * 0022: extensions of which the server has another version by default. The default versions of Greenroom for extensions
 * without files are words; such an extension may have the number of another version.
 */
export const extensionVersionsOutdated = defineLint<{
  extension_name: string;
  installed_version: string;
  default_version: string;
}>({
  name: 'extension_versions_outdated',
  title: 'Extension Versions Outdated',
  level: 'WARN',
  category: 'SECURITY',
  description: 'A later version of an extension may contain corrections, also of its security.',
  remediation: 'Update the extension: alter extension … update.',
  sql: `
    select e.name as extension_name, e.installed_version, e.default_version
    from pg_available_extensions e
    join pg_available_extension_versions v on v.name = e.name and v.installed
    where e.installed_version <> e.default_version and e.default_version not in ('missing', '${PLACEHOLDER_VERSION}')
    order by e.name`,
  report: (row) => ({
    detail: `The extension ${row.extension_name} has version ${row.installed_version}; version ${row.default_version} is available.`,
    metadata: row,
    key: [row.extension_name, row.installed_version],
  }),
});
