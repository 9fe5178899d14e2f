/** Prints the settings of an instance, and the origin of each. */
import { resolve } from 'node:path';
import type { Setting } from '@greenroom/config';
import { isProcessAlive, readInstanceRecord } from '@greenroom/data-folder';
import { digestSettings } from '@greenroom/server/setting-digests';
import { allSettings, loadConfig } from '@greenroom/server/settings';
import { PORT_SETTINGS } from '../../ports/port-request.ts';
import { explained, type ProjectOptions, readSettings, type Settings } from '../../settings.ts';

const DB_PORT = 'GREENROOM_DB_PORT';

/** A setting with its effective value. */
interface EffectiveSetting {
  setting: Setting;
  /** Undefined if the setting has neither a value nor a default. */
  text: string | undefined;
  origin: string;
}

/** Prints all settings; with `isDiff`, only those that differ from their defaults, or
 * from those of the running instance. Secrets are masked. */
export async function printSettings(isDiff: boolean, options: ProjectOptions): Promise<number> {
  const settings = await readSettings(options);
  for (const warning of settings.warnings) process.stderr.write(`warning: ${warning}\n`);
  for (const note of settings.notes) process.stderr.write(`note: ${note}\n`);
  // Reports wrong values instead of printing them.
  const { dataDirectory } = await explained(settings, () => loadConfig(settings.source));
  for (const line of configLines(settings, isDiff)) process.stdout.write(`${line}\n`);
  for (const line of productLines(settings)) process.stdout.write(`${line}\n`);
  if (!isDiff) return 0;
  for (const line of await runningLines(settings, resolve(dataDirectory))) process.stdout.write(`${line}\n`);
  return 0;
}

/** Returns the settings that the running instance, if there is one, has with another value. */
async function runningLines({ source }: Settings, dataFolder: string): Promise<string[]> {
  const record = await readInstanceRecord(dataFolder);
  if (!record?.credentials || !record.settings || !isProcessAlive(record.pid)) return [];
  const running = record.settings;
  const current: Record<string, string | undefined> = digestSettings(source, record.credentials.jwtSecret);
  // Port 0 is any free port, which the instance has chosen, as it may have chosen another port of the database.
  for (const name of PORT_SETTINGS) {
    const isChosen = name === DB_PORT ? source[name] === String(record.databasePort) : source[name] === '0';
    if (isChosen) current[name] = running[name];
  }
  const changed = allSettings.map(({ name }) => name).filter((name) => current[name] !== running[name]);
  if (changed.length === 0) return ['the running instance has the same settings'];
  return [`the running instance has other values, until it is restarted: ${changed.join(', ')}`];
}

/** Returns one line for each setting. */
export function configLines(settings: Settings, isDiff: boolean): string[] {
  const shown = allSettings
    .map((setting) => effective(setting, settings))
    .filter(({ setting, text }) => !isDiff || text !== setting.details.default);
  if (shown.length === 0) return ['no setting differs from its default'];
  return shown.map((each) => lineOf(each, isDiff));
}

/** Returns one line for each value of greenroom.config.ts that is no setting. */
function productLines({ product }: Settings): string[] {
  if (product === undefined) return [];
  const { redirects: _setting, ...values } = product.config;
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}  # ${product.configFile}`);
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
