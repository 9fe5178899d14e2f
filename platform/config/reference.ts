/** The table of all settings, for the reference page in `docs/`. */
import { variables } from './config.ts';
import type { Variable } from './variable.ts';

/** One line of Markdown table per variable: name, default, allowed, description. */
export function configurationReference(): string {
  const rows = Object.entries(variables as Record<string, Variable>).map(([name, declared]) => {
    const initial =
      declared.default === undefined || declared.default === '' ? '–' : `\`${declared.default}\``;
    return `| \`${name}\` | ${initial} | ${declared.allowed} | ${declared.description} |`;
  });
  return ['| Variable | Default | Allowed | For |', '|---|---|---|---|', ...rows].join('\n');
}
