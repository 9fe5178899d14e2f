/** Finds settings and their sections by parts of their names, while an administrator types. */
import { LANGUAGES, type Language } from '../../../lib/language.ts';
import { searchCommands, splitWords } from '../../../shell/palette/search-commands.ts';
import { adminSettingsTexts } from '../../../texts/admin-settings.ts';
import { SECTIONS, type SectionName, sectionOf, settingPath, settingsPath } from './sections.ts';
import type { Setting } from './setting.ts';

/** A setting or a section. */
interface FoundSetting {
  to: string;
  /** Key of config.toml, variable, or name of a section. */
  label: string;
  /** Name of the section; '' for a section itself. */
  section: string;
  /** Other names. */
  words: string[];
}

/** Returns up to `limit` sections and settings, best first. Sections have names in each language. */
export function findSettings(
  settings: readonly Setting[],
  q: string,
  { language, limit }: { language: Language; limit: number },
): FoundSetting[] {
  if (splitWords(q).length === 0) return [];
  const { sectionNames } = adminSettingsTexts[language];
  const entries = [
    ...SECTIONS.map((section) => ({
      to: settingsPath({ section }),
      label: sectionNames[section],
      section: '',
      words: namesOf(section),
    })),
    ...settings.map((setting) => ({
      to: settingPath(setting),
      label: setting.key ?? setting.name,
      section: sectionNames[sectionOf(setting)],
      words: [setting.name],
    })),
  ];
  return searchCommands(entries, q).slice(0, limit);
}

function namesOf(section: SectionName): string[] {
  return LANGUAGES.map((language) => adminSettingsTexts[language].sectionNames[section]);
}
