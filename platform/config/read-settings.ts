/** Reads the texts of settings and parses them. */
import { readFileSync } from 'node:fs';
import { ConfigError, type ConfigProblem } from './config-error.ts';
import type { ConfigSource } from './config-source.ts';
import { type FileContents, Setting } from './setting.ts';
import { type SettingsOf, type SettingsTree, settingsIn } from './settings-group.ts';

/** Suffix of the allowed values of settings that may be in a file. */
const FILE_ALLOWED = ', or @path of a file with it';

const CONTENTS: Record<FileContents, (text: string) => string> = {
  trimmed: (text) => text.trim(),
  verbatim: (text) => text.replace(/\n$/, ''),
};

/** Returns the allowed values of a setting, as documented. */
export function allowedTexts({ allowed, details }: Setting): string {
  return details.file ? `${allowed}${FILE_ALLOWED}` : allowed;
}

/**
 * Returns the source with the current names for settings that are set by a former name only, and with the contents of
 * files for `@path`. Only the environment may name files: a setting in the database must not choose the files that are
 * read.
 * @throws ConfigError that lists every file that cannot be read
 */
export function resolveSource(tree: SettingsTree, source: ConfigSource): ConfigSource {
  const problems: ConfigProblem[] = [];
  const resolved: Record<string, string | undefined> = { ...source };
  for (const { name, details } of settingsIn(tree)) {
    const { formerNames = [], file } = details;
    const former = formerNames.find((each) => source[each]);
    if (!source[name] && former !== undefined) resolved[name] = source[former];
    const text = resolved[name];
    if (file === undefined || !text?.startsWith('@')) continue;
    try {
      resolved[name] = CONTENTS[file](readFileSync(text.slice(1), 'utf8'));
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException;
      // The text may have been meant as the secret itself, so it is not shown.
      problems.push({
        name,
        value: undefined,
        allowed: `${FILE_ALLOWED.slice(', or '.length)} (reading it failed: ${code})`,
      });
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return resolved;
}

/**
 * Parses the values of a tree.
 * @param source resolved, see {@link resolveSource}
 * @throws ConfigError that lists every wrong setting
 */
export function parseSettings<Tree extends SettingsTree>(tree: Tree, source: ConfigSource): SettingsOf<Tree> {
  const problems = new Map<string, ConfigProblem>();
  const values = parseTree(tree, source, problems);
  if (problems.size > 0) throw new ConfigError([...problems.values()]);
  return values as SettingsOf<Tree>;
}

function parseTree(tree: SettingsTree, source: ConfigSource, problems: Map<string, ConfigProblem>): unknown {
  const entries = Object.entries(tree).map(([key, node]) => [
    key,
    node instanceof Setting ? parseSetting(node, source, problems) : parseTree(node, source, problems),
  ]);
  return Object.fromEntries(entries);
}

/** A setting may be part of several trees; its problem is reported once. */
function parseSetting(setting: Setting, source: ConfigSource, problems: Map<string, ConfigProblem>): unknown {
  const { name, schema, details } = setting;
  const raw = source[name];
  const isSet = raw !== undefined && (raw !== '' || details.acceptsEmpty === true);
  const text = isSet ? raw : details.default;
  if (text === undefined) return undefined;
  const parsed = schema.safeParse(text);
  if (parsed.success) return parsed.data;
  const value = details.secret ? undefined : raw;
  problems.set(name, { name, value, allowed: allowedTexts(setting) });
  return undefined;
}
