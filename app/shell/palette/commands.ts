/** The commands of the palette for a user and a page. Pure: actions are only described here. */

import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../lib/language.ts';
import type { Site } from '../../lib/page/site.ts';
import type { SignOutScope } from '../../session/scopes.ts';
import { SIGN_OUT_SCOPES } from '../../session/scopes.ts';
import { pageNameTexts } from '../../texts/page-names.ts';
import { paletteTexts } from '../../texts/palette.ts';
import { COLOUR_PREFERENCES, type ColourPreference } from '../../ui/colour-mode.ts';
import type { ColourState } from '../../ui/colour-mode-store.ts';
import type { IconName } from '../../ui/icon.tsx';
import { navigationPaths, PAGE_LIST } from '../navigation.ts';
import { isFor } from '../scope.ts';
import { SHORTCUTS, type ShortcutId } from '../shortcuts/shortcuts.ts';
import { isShown, sitePages } from '../site-navigation.ts';
import type { HitGroup } from './hits/hits.ts';

/** Groups, in the order in which they are shown. */
export const COMMAND_GROUPS = ['pages', 'session', 'appearance', 'language', 'help'] as const;
export type CommandGroup = (typeof COMMAND_GROUPS)[number];

/** The action of a command. */
export type CommandAction =
  | { kind: 'go'; to: string }
  | { kind: 'signOut'; scope: SignOutScope }
  | { kind: 'colourMode'; preference: ColourPreference }
  | { kind: 'language'; language: Language }
  | { kind: 'help' };

/** One command of the palette, or a hit. */
export interface Command {
  /** Independent of the language. */
  id: string;
  group: CommandGroup | HitGroup;
  label: string;
  /** A further text next to the label. */
  detail?: string;
  /** Additional search terms: its labels in other languages, and synonyms in all languages. */
  words: string[];
  icon: IconName;
  /** Language of the label, if it is not the page's. */
  labelLanguage?: Language;
  /** Keys in the format of the table of shortcuts. */
  keys?: string;
  /** The command's state is already active. */
  isCurrent?: boolean;
  action: CommandAction;
}

/** The state that determines the commands. */
export interface PaletteContext {
  isSignedIn: boolean;
  isAdmin: boolean;
  language: Language;
  /** Path with query, below the app's base. */
  page: string;
  /** Path of the sign-in page. */
  login: string;
  colour: ColourState | undefined;
  /** Values of the product; absent for none. */
  site?: Site | undefined;
}

/** Returns all commands that are available in this state. */
export function listCommands(context: PaletteContext): Command[] {
  return [
    ...pages(context),
    ...(context.isSignedIn ? signOuts(context) : []),
    ...colourModes(context),
    ...languages(context),
    help(context),
  ];
}

/** The current page stays in the list, so that typing the same query always leads to the same page. */
function pages({ language, login, page, site, ...viewer }: PaletteContext): Command[] {
  const paths = navigationPaths(login);
  const own = PAGE_LIST.filter(({ id, scope }) => isShown(id, site) && isFor(scope, viewer)).map(
    ({ id, icon }): Command => ({
      id: `go ${id}`,
      group: 'pages',
      ...named(
        (reader) => ({ label: pageNameTexts[reader][id].label, words: paletteTexts[reader].pageWords[id] }),
        language,
      ),
      icon,
      ...shortcut(id),
      isCurrent: paths[id] === page,
      action: { kind: 'go', to: paths[id] },
    }),
  );
  const others = sitePages(site, language).filter(({ scope }) => isFor(scope, viewer));
  return [
    ...others.map(
      ({ to, label, words, icon, keys }): Command => ({
        id: `go ${to}`,
        group: 'pages',
        label,
        words,
        icon,
        ...(keys !== undefined && { keys }),
        isCurrent: to === page,
        action: { kind: 'go', to },
      }),
    ),
    ...own,
  ];
}

function signOuts({ language }: PaletteContext): Command[] {
  return SIGN_OUT_SCOPES.map((scope) => ({
    id: `sign-out ${scope}`,
    group: 'session',
    ...named((reader) => paletteTexts[reader].signOut[scope], language),
    icon: 'signOut',
    action: { kind: 'signOut', scope },
  }));
}

const COLOUR_ICONS: Record<ColourPreference, IconName> = { system: 'monitor', light: 'sun', dark: 'moon' };

/** Returns none if the page forces a mode: a choice would be neither shown nor saved. */
function colourModes({ colour, language }: PaletteContext): Command[] {
  if (!colour || colour.forced) return [];
  return COLOUR_PREFERENCES.map((preference) => ({
    id: `colours ${preference}`,
    group: 'appearance',
    ...named((reader) => paletteTexts[reader].colourModes[preference], language),
    icon: COLOUR_ICONS[preference],
    isCurrent: colour.preference === preference,
    action: { kind: 'colourMode', preference },
  }));
}

/** Each language has its own name as label, so that its speakers recognize it. */
function languages({ language: current, site }: PaletteContext): Command[] {
  const offered = site?.languages ?? LANGUAGES;
  if (offered.length < 2) return [];
  return offered.map((language) => ({
    id: `language ${language}`,
    group: 'language',
    label: LANGUAGE_NAMES[language],
    words: LANGUAGES.map((reader) => paletteTexts[reader].languageWords[language]),
    icon: 'language',
    labelLanguage: language,
    isCurrent: language === current,
    action: { kind: 'language', language },
  }));
}

function help({ language }: PaletteContext): Command {
  return {
    id: 'help',
    group: 'help',
    ...named((reader) => paletteTexts[reader].help, language),
    icon: 'keyboard',
    ...shortcut('help'),
    action: { kind: 'help' },
  };
}

/** Returns a command's label in one language, and its labels and synonyms in all languages. */
function named(textsIn: (reader: Language) => { label: string; words: string }, language: Language) {
  const words = LANGUAGES.map(textsIn).flatMap(({ label, words }) => [label, words]);
  return { label: textsIn(language).label, words };
}

function shortcut(id: ShortcutId): { keys?: string } {
  const keys = SHORTCUTS.find((candidate) => candidate.id === id)?.keys;
  return keys === undefined ? {} : { keys };
}
