/** Settings of roles and databases as PostgreSQL stores them, in SQL. */
import { quoteIdentifier, quoteLiteral } from '@greenroom/postgres';

/** Settings that are lists of names. Their elements are quoted one by one. */
const NAME_LISTS: readonly string[] = [
  'local_preload_libraries',
  'search_path',
  'session_preload_libraries',
  'shared_preload_libraries',
  'temp_tablespaces',
  'unix_socket_directories',
];
const NAME_IN_LIST = /"(?:[^"]|"")*"|[^,\s]+/g;

/**
 * Returns the text after SET that gives a parameter its value.
 * @param setting `name=value`, as in `pg_db_role_setting`
 */
export function settingText(setting: string): string {
  const [name = ''] = setting.split('=', 1);
  const value = setting.slice(name.length + 1);
  if (!NAME_LISTS.includes(name.toLowerCase())) return `${parameterText(name)} TO ${quoteLiteral(value)}`;
  const names = (value.match(NAME_IN_LIST) ?? ['']).map((each) =>
    quoteLiteral(each.startsWith('"') ? each.slice(1, -1).replaceAll('""', '"') : each),
  );
  return `${parameterText(name)} TO ${names.join(', ')}`;
}

/** A custom parameter has two names, e.g. `app.tenant`. */
function parameterText(name: string): string {
  return name.split('.').map(quoteIdentifier).join('.');
}
