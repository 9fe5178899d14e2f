/** Custom settings that every request can read in the database: `PGRST_APP_SETTINGS_<NAME>`. */
import { ConfigError, textSetting } from '@greenroom/config';

const PREFIX = 'PGRST_APP_SETTINGS_';

/** PostgreSQL's syntax for names of custom settings. */
const SETTING_NAME = /^[A-Za-z_][\w$]*(\.[A-Za-z_][\w$]*)*$/;

/** The entry in the reference page. */
export const documentedAppSetting = textSetting(
  `${PREFIX}<NAME>`,
  'any text; the name is letters, digits and _',
  {
    default: undefined,
    secret: true,
    isReloadable: true,
    description: "Custom setting, read by `current_setting('app.settings.<NAME>', true)` in the database.",
  },
);

/**
 * Returns the names and values of all custom settings. An empty value counts as unset.
 * @throws ConfigError if PostgreSQL does not accept a name
 */
export function appSettings(
  source: Readonly<Record<string, string | undefined>>,
): readonly (readonly [name: string, value: string])[] {
  const entries = Object.entries(source).flatMap(([variable, value]) =>
    variable.startsWith(PREFIX) && value ? [[variable, value] as const] : [],
  );
  const wrong = entries.filter(([variable]) => !SETTING_NAME.test(variable.slice(PREFIX.length)));
  if (wrong.length > 0) throw new ConfigError(wrong.map(([variable]) => wrongName(variable)));
  return entries.map(([variable, value]) => [`app.settings.${variable.slice(PREFIX.length)}`, value]);
}

function wrongName(name: string) {
  return {
    name,
    value: undefined,
    allowed: `names that continue with letters, digits and _ after ${PREFIX}`,
  };
}
