/** `greenroom config [diff]`: prints the settings of an instance, and the origin of each. */
import { parseArgs } from 'node:util';
import type { Setting } from '@greenroom/config';
import { allSettings, loadConfig } from '@greenroom/server/settings';
import { explained, type ProjectOptions, readSettings, type Settings } from '../settings.ts';

/** A setting with its effective value. */
interface EffectiveSetting {
  setting: Setting;
  /** Undefined if the setting has neither a value nor a default. */
  text: string | undefined;
  origin: string;
}

/** Prints all settings; with `diff`, only those that differ from their defaults. Secrets are masked. */
export async function config(args: string[], options: ProjectOptions): Promise<number> {
  const { positionals } = parseArgs({ args, options: {}, allowPositionals: true });
  const [action, ...rest] = positionals;
  if (rest.length > 0 || (action !== undefined && action !== 'diff')) {
    throw new Error(`unknown command "config ${positionals.join(' ')}". Use config or config diff.`);
  }
  const settings = await readSettings(options);
  for (const warning of settings.warnings) process.stderr.write(`warning: ${warning}\n`);
  // Reports wrong values instead of printing them.
  await explained(settings, () => loadConfig(settings.source));
  for (const line of configLines(settings, action === 'diff')) process.stdout.write(`${line}\n`);
  return 0;
}

/** Returns one line for each setting. */
export function configLines(settings: Settings, isDiff: boolean): string[] {
  const shown = allSettings
    .map((setting) => effective(setting, settings))
    .filter(({ setting, text }) => !isDiff || text !== setting.details.default);
  if (shown.length === 0) return ['no setting differs from its default'];
  return shown.map((each) => lineOf(each, isDiff));
}

function effective(setting: Setting, { values }: Settings): EffectiveSetting {
  const { default: initial, acceptsEmpty } = setting.details;
  const value = values.get(setting.name);
  if (value === undefined || (value.text === '' && !acceptsEmpty)) {
    return { setting, text: initial, origin: 'default' };
  }
  const key = value.written?.name;
  return { setting, text: value.text, origin: key === undefined ? value.origin : `${value.origin} ${key}` };
}

function lineOf({ setting, text, origin }: EffectiveSetting, isDiff: boolean): string {
  const { default: initialText } = setting.details;
  const shownDefault = initialText === undefined ? 'unset' : shownText(setting, initialText);
  const initial = isDiff ? ` (default: ${shownDefault})` : '';
  return `${setting.name}=${shownText(setting, text)}${initial}  # ${origin}`;
}

function shownText({ details }: Setting, text: string | undefined): string {
  if (text === undefined) return '';
  return details.secret && text !== '' ? '********' : JSON.stringify(text);
}
