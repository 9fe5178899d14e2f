/** Settings of the project that every request sees in the database: `PGRST_APP_SETTINGS_<NAME>`. */
import { ConfigError, textSetting } from '@greenroom/config';

const PREFIX = 'PGRST_APP_SETTINGS_';

/** What PostgreSQL takes as the name of a setting that it does not know. */
const SETTING_NAME = /^[A-Za-z_][\w$]*(\.[A-Za-z_][\w$]*)*$/;

/** The row of the reference page. */
export const documentedAppSetting = textSetting(
  `${PREFIX}<NAME>`,
  'any text; the name is letters, digits and _',
  {
    default: undefined,
    secret: true,
    description: "A setting of your own: `current_setting('app.settings.<NAME>', true)` in the database.",
  },
);

/**
 * Names and values of all such settings; empty ones count as unset.
 * @throws ConfigError where a name is none of PostgreSQL's
 */
export function appSettings(
  source: Readonly<Record<string, string | undefined>>,
): readonly (readonly [name: string, value: string])[] {
  const given = Object.entries(source).flatMap(([variable, value]) =>
    variable.startsWith(PREFIX) && value ? [[variable, value] as const] : [],
  );
  const wrong = given.filter(([variable]) => !SETTING_NAME.test(variable.slice(PREFIX.length)));
  if (wrong.length > 0) throw new ConfigError(wrong.map(([variable]) => wrongName(variable)));
  return given.map(([variable, value]) => [`app.settings.${variable.slice(PREFIX.length)}`, value]);
}

function wrongName(name: string) {
  return { name, value: undefined, allowed: `names that go on with letters, digits and _ after ${PREFIX}` };
}
