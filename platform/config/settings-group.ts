/**
 * Groups of settings. A group is a tree of declared settings in the shape of the resulting configuration, so that
 * names, types, parsing, error messages and documentation all follow from one declaration.
 */
import type { ConfigProblem } from './config-error.ts';
import { Setting } from './setting.ts';

/** Settings by their names in the code, nested like the configuration. */
export interface SettingsTree {
  readonly [key: string]: Setting | SettingsTree;
}

/** The values of a tree. */
export type SettingsOf<Tree> = {
  readonly [K in keyof Tree]: Tree[K] extends Setting<infer T> ? T : SettingsOf<Tree[K]>;
};

/** The settings of one part of an instance. */
export interface SettingsGroup<Tree extends SettingsTree = SettingsTree, Context = never, Config = unknown> {
  /** Heading on the reference page. */
  title: string;
  tree: Tree;
  /**
   * Builds the configuration from the values: applies defaults that depend on other settings, and validates
   * combinations. Throws ConfigError.
   */
  complete(values: SettingsOf<Tree>, context: Context): Config;
  /** Settings that are only documented, because their names are not known in advance. */
  documentedOnly?: readonly Setting[];
}

/** The configuration type of a group. */
// biome-ignore lint/suspicious/noExplicitAny: the other parameters of a group do not matter here
export type ConfigOf<Group> = Group extends SettingsGroup<any, any, infer Config> ? Config : never;

/** Declares a group. Exists for type inference only. */
export function defineSettings<const Tree extends SettingsTree, Context, Config>(
  group: SettingsGroup<Tree, Context, Config>,
): SettingsGroup<Tree, Context, Config> {
  return group;
}

/** Returns all settings of a tree, in the order of their declaration. */
export function settingsIn(tree: SettingsTree): Setting[] {
  return Object.values(tree).flatMap((node) => (node instanceof Setting ? [node] : settingsIn(node)));
}

/**
 * Creates the problem of a setting that another setting requires.
 * @param reason e.g. `GOTRUE_SAML_ENABLED is true`
 */
export function missingSetting({ name, allowed }: Setting, reason: string): ConfigProblem {
  return { name, value: '', allowed: `${allowed} (${reason})` };
}
