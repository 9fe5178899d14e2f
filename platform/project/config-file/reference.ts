/** Generates the table of keys without a setting for the reference page in `docs/`. */
import { KEYS_WITHOUT_SETTING, type KeyWithoutSetting } from './keys-without-setting.ts';
import { documentedNames } from './known-keys.ts';

/** Heading of the section. */
export const KEYS_TITLE = 'Keys of config.toml without a setting';

/** Returns the section: one row of a Markdown table for all keys of a table that have the same reason. */
export function keysWithoutSettingReference(): string {
  const rows = Map.groupBy(KEYS_WITHOUT_SETTING, ({ kind, reason }) => `${kind} ${reason}`).values();
  return [
    `## ${KEYS_TITLE}`,
    '',
    '| Keys | Effect | Details |',
    '|---|---|---|',
    ...Array.from(rows, rowOf),
  ].join('\n');
}

function rowOf(keys: readonly KeyWithoutSetting[]): string {
  const names = keys.flatMap(documentedNames).map((name) => `\`${name}\``);
  const [{ kind, reason } = { kind: 'project', reason: '' }] = keys;
  return `| ${names.join(' ')} | ${EFFECTS[kind as KeyWithoutSetting['kind']]} | ${reason} |`;
}

const EFFECTS = { project: 'project', meaningless: 'none' };
