/** Reads all settings again while an instance runs: config.toml and env files of the project. */
import { isDeepStrictEqual } from 'node:util';
import type { ConfigSource, Setting } from '@greenroom/config';
import type { Greenroom, ReloadedSettings } from '@greenroom/server';
import { allSettings, type Config } from '@greenroom/server/settings';
import { PORT_SETTINGS } from './ports/port-request.ts';
import { projectToRun } from './project.ts';
import { explained, type ProjectOptions, readSettings, type Settings } from './settings.ts';

/** Options of {@link createReloader}. */
interface ReloaderOptions {
  options: ProjectOptions;
  /** The settings of the start, and the configuration with the port that was chosen for them. */
  initial: Settings;
  config: Config;
  instance: Pick<Greenroom, 'applySettings' | 'applyProject' | 'applyProduct'>;
}

/** Reloads the settings of one instance. */
export interface Reloader {
  /** Returns the settings that were read last without an error. */
  settings(): Settings;
  /**
   * Reads and applies the settings, and prints the outcome. Returns whether they are valid; never rejects. Calls run one
   * after the other.
   */
  reload(): Promise<boolean>;
  /** Like `reload`; rejects if a setting is not valid. */
  apply(): Promise<ReloadedSettings>;
}

/** Creates the reloader of an instance. */
export function createReloader({ options, initial, config, instance }: ReloaderOptions): Reloader {
  let current = initial;

  async function apply(): Promise<ReloadedSettings> {
    const former = current;
    const next = await readSettings(options);
    const reloaded = await explained(next, () =>
      instance.applySettings(withChosenPorts(next, initial, config)),
    );
    const { applied, needRestart } = reloaded;
    const known = new Set(former.warnings);
    for (const warning of next.warnings)
      if (!known.has(warning)) print(process.stderr, `warning: ${warning}`);
    const describe = (names: readonly string[]) => changesOf(names, former, next);
    print(process.stdout, `  ${outcomeLine(describe(applied), changesOf(needRestart, initial, next))}`);
    current = next;
    await updateProject(instance, former, current);
    await updateProduct(instance, former, current);
    return reloaded;
  }

  async function tryToApply(applying: Promise<unknown>): Promise<boolean> {
    try {
      await applying;
      return true;
    } catch (error) {
      print(process.stderr, 'error: the settings were not reloaded; the former ones stay active.');
      print(process.stderr, (error as Error).message);
      return false;
    }
  }

  let last: Promise<unknown> = Promise.resolve();
  const applyNext = () => {
    const applying = last.then(apply);
    last = applying.catch(() => undefined);
    return applying;
  };
  return {
    settings: () => current,
    reload: () => tryToApply(applyNext()),
    apply: applyNext,
  };
}

/** Applies the declarations of buckets and functions if they have changed. Never rejects. */
async function updateProject(
  instance: ReloaderOptions['instance'],
  former: Settings,
  next: Settings,
): Promise<void> {
  const project = projectToRun(next);
  const before = projectToRun(former);
  const isSame =
    isDeepStrictEqual(project?.buckets, before?.buckets) &&
    isDeepStrictEqual(project?.functions, before?.functions);
  if (project === undefined || isSame) return;
  await instance
    .applyProject(project)
    .catch((error: Error) => print(process.stderr, `error: the buckets were not changed: ${error.message}`));
}

/** Applies the values of greenroom.config.ts if they have changed. */
async function updateProduct(
  instance: ReloaderOptions['instance'],
  { product: former }: Settings,
  { product }: Settings,
): Promise<void> {
  if (isDeepStrictEqual(product?.config, former?.config)) return;
  await instance.applyProduct(product);
  print(process.stdout, `  ${product?.configFile ?? former?.configFile} reloaded`);
}

/**
 * Returns the settings with the ports of the start, unless other ports are configured now: port 0 became another port at the
 * start, and so did a port that was taken.
 */
function withChosenPorts(next: Settings, initial: Settings, { source }: Config): ConfigSource {
  const same = PORT_SETTINGS.filter((name) => configuredText(next, name) === configuredText(initial, name));
  return { ...next.source, ...Object.fromEntries(same.map((name) => [name, source[name]])) };
}

/** A start remembers a port that replaces the configured one. */
function configuredText({ values, remembered }: Settings, name: string): string | undefined {
  const value = values.get(name);
  const replacement = remembered.get(name);
  if (replacement !== undefined && replacement === value) return replacement.insteadOf;
  return value?.text || (allSettings.find((setting) => setting.name === name)?.details.default ?? '');
}

/** Returns one line for the user. */
function outcomeLine(applied: readonly string[], needRestart: readonly string[]): string {
  const changes = applied.length === 0 ? 'settings reloaded' : `settings reloaded: ${applied.join(', ')}`;
  if (needRestart.length > 0) return `${changes}; needs a restart: ${needRestart.join(', ')}`;
  return applied.length === 0 ? 'settings reloaded; no value changed' : changes;
}

/** Returns `key: former → new` for each setting, by the names in the files. */
function changesOf(names: readonly string[], former: Settings, next: Settings): string[] {
  const changed = allSettings.filter(({ name }) => names.includes(name));
  return changed.map((setting) => {
    const key = nameIn(next, setting) ?? nameIn(former, setting) ?? setting.name;
    return `${key}: ${valueIn(former, setting)} → ${valueIn(next, setting)}`;
  });
}

function nameIn({ values }: Settings, { name }: Setting): string | undefined {
  return values.get(name)?.written?.name;
}

function valueIn({ values }: Settings, { name, details }: Setting): string {
  const value = values.get(name);
  const text = value?.written?.value ?? value?.text ?? details.default;
  if (text === undefined) return 'unset';
  return details.secret && text !== '' ? '********' : JSON.stringify(text);
}

function print(stream: NodeJS.WriteStream, line: string): void {
  stream.write(`${line}\n`);
}
