/** Combines several sources of settings, and remembers the origin of each value for messages. */
import { ConfigError, type ConfigProblem } from './config-error.ts';
import { configKeysOf } from './config-key.ts';
import type { ConfigSource } from './config-source.ts';
import type { Setting } from './setting.ts';

/** The origin of variables of the process. */
export const ENVIRONMENT = 'environment';

/** A text with its origin. */
export interface LayerValue {
  text: string;
  /** For messages, e.g. `environment`, `.env.local`, `supabase/config.toml:12`. */
  origin: string;
  /** Name and value at the origin, if they differ from those of the variable, e.g. the key of config.toml. */
  written?: { name: string; value: string };
}

/** Values by the names of variables. */
export type Layer = ReadonlyMap<string, LayerValue>;

/** The result of {@link combineLayers}. */
export interface LayeredSource {
  source: ConfigSource;
  /** The values in `source` with their origins. */
  values: Layer;
}

/** Returns the layer of a source whose values all have the same origin. */
export function layerOf(source: ConfigSource, origin: string): Layer {
  return new Map(
    Object.entries(source).flatMap(([name, text]) => (text === undefined ? [] : [[name, { text, origin }]])),
  );
}

/**
 * Combines layers; the first that has a variable decides. In each layer, a former name of a setting stands for its
 * current name. An empty text counts as unset, except for settings with `acceptsEmpty`.
 */
export function combineLayers(layers: readonly Layer[], settings: readonly Setting[]): LayeredSource {
  const acceptsEmpty = new Set(
    settings.filter(({ details }) => details.acceptsEmpty).map(({ name }) => name),
  );
  const values = new Map<string, LayerValue>();
  for (const layer of layers) {
    for (const [name, value] of withCurrentNames(layer, settings)) {
      const found = values.get(name);
      if (found === undefined || (found.text === '' && !acceptsEmpty.has(name))) values.set(name, value);
    }
  }
  const source = Object.fromEntries(Array.from(values, ([name, { text }]) => [name, text]));
  return { source, values };
}

/** Returns the defaults of config.toml, except for those that a setting of another layer replaces. */
export function withoutReplacedDefaults(
  defaults: Layer,
  others: readonly Layer[],
  settings: readonly Setting[],
): Layer {
  const isSet = (name: string) => others.some((layer) => layer.get(name)?.text);
  const replaced = settings.filter((setting) =>
    configKeysOf(setting).some(({ defaultUnless = [] }) => defaultUnless.some(isSet)),
  );
  const names = new Set(replaced.map(({ name }) => name));
  return new Map([...defaults].filter(([name]) => !names.has(name)));
}

function withCurrentNames(layer: Layer, settings: readonly Setting[]): Layer {
  const renamed = new Map(layer);
  for (const { name, details } of settings) {
    const former = details.formerNames?.find((each) => layer.get(each)?.text);
    const value = former === undefined ? undefined : layer.get(former);
    if (value !== undefined && !layer.get(name)?.text) renamed.set(name, value);
  }
  return renamed;
}

/**
 * Returns the error with the origin of each wrong value that does not come from the environment: the file, and the name
 * and value that are written there.
 */
export function withOrigins(
  error: ConfigError,
  { values }: LayeredSource,
  settings: readonly Setting[],
): ConfigError {
  return new ConfigError(
    error.problems.map((problem) => {
      if (problem.origin !== undefined) return problem;
      const found = values.get(problem.name);
      return found?.text ? withOrigin(problem, found) : withMissingKey(problem, values, settings);
    }),
  );
}

function withOrigin(problem: ConfigProblem, { text, origin, written }: LayerValue): ConfigProblem {
  if (origin === ENVIRONMENT) return problem;
  const { name, value } = written ?? { name: problem.name, value: text };
  return { ...problem, origin, name, value: problem.value === undefined ? undefined : value };
}

const VARIABLE = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g;

/** Names the key of a setting that another one requires, if that one comes from config.toml. */
function withMissingKey(problem: ConfigProblem, values: Layer, settings: readonly Setting[]): ConfigProblem {
  const mentioned = problem.allowed.match(VARIABLE)?.map((name) => values.get(name)) ?? [];
  const reason = mentioned.find((value) => value?.written !== undefined);
  const setting = settings.find(({ name }) => name === problem.name);
  const [key] = setting === undefined ? [] : configKeysOf(setting);
  if (reason === undefined || key === undefined) return problem;
  const allowed = problem.allowed.replaceAll(VARIABLE, (name) => values.get(name)?.written?.name ?? name);
  return { ...problem, origin: reason.origin, name: key.key, allowed };
}
