/**
 * Variables in the env files of a project that belong to the app of the project, although they have the names of settings.
 * Their DATABASE_URL and SUPABASE_URL often name the hosted project.
 */
import { configKeysOf } from '@greenroom/config';
import type { EnvFile } from '@greenroom/project';
import { allSettings } from '@greenroom/server/settings';

/** Variables that the env files of a project may set. */
const PROJECT_VARIABLE = /^(?:GREENROOM|GOTRUE|PGRST)_/;

/** Keys of config.toml that set a part of the effect of a variable without a key. */
const RELATED_KEYS: Readonly<Record<string, string>> = { SITE_URL: 'auth.site_url' };

/** Returns whether a variable is a setting in an env file of a project. */
export function isProjectVariable(name: string): boolean {
  return PROJECT_VARIABLE.test(name);
}

/**
 * Returns a note about the variables of an env file that are settings in the environment but not in the file; none if there
 * are no such variables. The note recommends only keys of config.toml: in the environment, variables of an app may replace
 * the backend or the database of the instance.
 * @param isKnown whether a variable is left out, because the environment sets it or config.toml contains it by `env()`
 */
export function noteAppVariables(
  { name, values }: EnvFile,
  isKnown: (variable: string) => boolean,
): string[] {
  const settings = allSettings.filter(
    (setting) => values[setting.name] && !isProjectVariable(setting.name) && !isKnown(setting.name),
  );
  if (settings.length === 0) return [];
  const names = settings.map((setting) => setting.name);
  const subject =
    names.length === 1 ? `${names[0]} is not read as a setting` : `${listed(names)} are not read as settings`;
  const keys = settings.flatMap((setting) => {
    const key = configKeysOf(setting)[0]?.key ?? RELATED_KEYS[setting.name];
    return key === undefined ? [] : [`${key} (instead of ${setting.name})`];
  });
  const advice = keys.length === 0 ? '' : ` Settings in supabase/config.toml: ${keys.join(', ')}.`;
  return [
    `${name}: ${subject}, because variables that do not begin with GREENROOM_, GOTRUE_ or PGRST_ belong to the app of the project.${advice}`,
  ];
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
