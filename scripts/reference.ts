/**
 * `npm run docs`: regenerates the tables of settings and keys in docs/reference/configuration.md from their
 * declarations.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationReference } from '../platform/config/index.ts';
import { KEYS_TITLE, keysWithoutSettingReference } from '../platform/project/config-file/index.ts';
import { settingsGroups } from '../server/settings.ts';
import { standaloneSettings } from '../server/standalone-settings.ts';

const PAGE = join(import.meta.dirname, '..', 'docs', 'reference', 'configuration.md');
const HEADING = /^## (.+)$/;

const groups = [...settingsGroups, standaloneSettings];
const titles = new Set([...groups.map(({ title }) => title), KEYS_TITLE]);
const lines = readFileSync(PAGE, 'utf8').split('\n');
const isGenerated = (line: string): boolean => titles.has(HEADING.exec(line)?.[1] ?? '');
const first = lines.findIndex(isGenerated);
const last = lines.findLastIndex(isGenerated);
const next = lines.findIndex((line, index) => index > last && HEADING.test(line));
if (first < 0 || next < 0)
  throw new Error(`${PAGE}: the sections of the settings, or the section after them, are missing`);
const generated = [configurationReference(groups), '', keysWithoutSettingReference(), ''];
writeFileSync(PAGE, lines.toSpliced(first, next - first, ...generated).join('\n'));
