/** The sections of the settings, and the search in them. */
import type { Setting } from './setting.ts';

export const SECTIONS = [
  'keys',
  'connections',
  'redirects',
  'limits',
  'hooks',
  'sign-in',
  'providers',
  'messages',
  'data',
  'storage',
  'others',
  'instance',
] as const;
export type SectionName = (typeof SECTIONS)[number];

const MAX_FOUND = 60;

/** By name, the first that matches. */
const BY_NAME: readonly [RegExp, SectionName][] = [
  [/^GOTRUE_(?:SITE_URL|URI_ALLOW_LIST)$|^GREENROOM_REDIRECTS$|REDIRECT_URLS?$/, 'redirects'],
  [/RATE_LIMIT|MAX_FREQUENCY/, 'limits'],
  [/^GOTRUE_HOOK_/, 'hooks'],
  [/^GOTRUE_EXTERNAL_(?!EMAIL|PHONE|ANONYMOUS)|^GOTRUE_(?:SAML|EXTERNAL_WEB3|CUSTOM_OAUTH)/, 'providers'],
  [/^GOTRUE_(?:MAILER|SMTP|SMS)_/, 'messages'],
  [/^PGRST_/, 'data'],
];

/** By the group of the reference page. */
const BY_GROUP: Readonly<Record<string, SectionName>> = {
  Authentication: 'sign-in',
  'Mail and SMS': 'messages',
  'Data API': 'data',
  Storage: 'storage',
  Instance: 'instance',
};

/** Returns the section of a setting. */
export function sectionOf({ name, group }: Pick<Setting, 'name' | 'group'>): SectionName {
  const named = BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
  return named ?? BY_GROUP[group] ?? 'others';
}

/** Returns whether a setting is shown without `all`: those of disabled providers and hooks are not. */
function isPrimary({ name, source }: Setting): boolean {
  return (
    source !== 'default' ||
    !/^GOTRUE_(?:EXTERNAL_[A-Z0-9_]+|HOOK_[A-Z_]+|SMS_[A-Z_]+)_(?!ENABLED$)[A-Z]/.test(name)
  );
}

/** What a page shows. */
export interface SettingsSelection {
  section: SectionName;
  q: string;
  all: boolean;
  /** Name of the setting that is edited. */
  edit: string;
}

/** Parses a URL. */
export function readSettingsSelection(search: URLSearchParams): SettingsSelection {
  return {
    section: SECTIONS.find((name) => name === search.get('section')) ?? 'keys',
    q: (search.get('q') ?? '').trim().slice(0, 100),
    all: search.get('all') === '1',
    edit: search.get('edit') ?? '',
  };
}

/** Returns the URL of a selection. */
export function settingsPath(
  { section = 'keys', q = '', all = false, edit = '' }: Partial<SettingsSelection>,
  more: Record<string, string> = {},
): string {
  const chosen = {
    ...(q === '' ? { section } : { q }),
    ...(all && { all: '1' }),
    ...(edit !== '' && { edit }),
    ...more,
  };
  return `/admin/settings?${new URLSearchParams(chosen)}`;
}

/** Returns the URL of a setting: its section, in which it is shown, and its place there. */
export function settingPath(setting: Setting): string {
  return `${settingsPath({ section: sectionOf(setting), all: !isPrimary(setting) })}#${setting.name}`;
}

/** Returns the settings of a selection, and the number of those that it hides. */
export function selectSettings(
  settings: readonly Setting[],
  { section, q, all, edit }: SettingsSelection,
): { shown: Setting[]; hidden: number } {
  if (q !== '') {
    const words = q.toLowerCase().split(/\s+/);
    const shown = settings.filter((setting) => {
      const text = `${setting.name} ${setting.key ?? ''} ${setting.description}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    return { shown: shown.slice(0, MAX_FOUND), hidden: 0 };
  }
  const own = settings.filter((setting) => sectionOf(setting) === section);
  const shown = own.filter((setting) => all || isPrimary(setting) || setting.name === edit);
  return { shown, hidden: own.length - shown.length };
}
