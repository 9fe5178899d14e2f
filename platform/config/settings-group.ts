/**
 * Groups of settings. A group is a tree of declared settings that has the shape of the configuration it becomes, so that
 * names, types, parsing, error texts and documentation all follow from one declaration.
 */
import type { ConfigProblem } from './config-error.ts';
import { Setting } from './setting.ts';

/** Settings by the names that the code has for them, nested as the configuration is. */
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
   * Makes the configuration out of the values: defaults that depend on other settings, and rules between settings.
   * Throws ConfigError.
   */
  complete(values: SettingsOf<Tree>, context: Context): Config;
  /** Settings that are only documented: their names are not known beforehand. */
  documentedOnly?: readonly Setting[];
}

/** The configuration that a group becomes. */
// biome-ignore lint/suspicious/noExplicitAny: the other parameters of a group do not matter here
export type ConfigOf<Group> = Group extends SettingsGroup<any, any, infer Config> ? Config : never;

/** Declares a group; exists for the inference of its types. */
export function defineSettings<const Tree extends SettingsTree, Context, Config>(
  group: SettingsGroup<Tree, Context, Config>,
): SettingsGroup<Tree, Context, Config> {
  return group;
}

/** All settings of a tree, in the order of their declaration. */
export function settingsIn(tree: SettingsTree): Setting[] {
  return Object.values(tree).flatMap((node) => (node instanceof Setting ? [node] : settingsIn(node)));
}

/**
 * The problem of a setting that another one requires.
 * @param reason e.g. `GOTRUE_SAML_ENABLED is true`
 */
export function missingSetting({ name, allowed }: Setting, reason: string): ConfigProblem {
  return { name, value: '', allowed: `${allowed} (${reason})` };
}
