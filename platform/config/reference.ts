/** The table of all settings, for the reference page in `docs/`. */
import { providerVariable, settingsOfProvider } from './auth/providers.ts';
import { variables } from './config.ts';
import { appSettingVariables } from './data/app-settings.ts';
import type { Variable } from './variable.ts';

/** What every external provider has, once for all of them. */
const ofEachProvider = Object.fromEntries(
  Object.entries(settingsOfProvider).map(([setting, declared]) => [
    providerVariable('<provider>', setting),
    declared,
  ]),
);

/** One line of Markdown table per variable: name, default, allowed, description. */
export function configurationReference(): string {
  const all: Record<string, Variable> = { ...variables, ...ofEachProvider, ...appSettingVariables };
  const rows = Object.entries(all).map(([name, declared]) => {
    const initial =
      declared.default === undefined || declared.default === '' ? '–' : `\`${declared.default}\``;
    return `| \`${name}\` | ${initial} | ${declared.allowed} | ${declared.description} |`;
  });
  return ['| Variable | Default | Allowed | For |', '|---|---|---|---|', ...rows].join('\n');
}
