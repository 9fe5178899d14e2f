/** Texts of the overview of the admin area. */
import { defineTexts } from './define-texts.ts';

export const adminOverviewTexts = defineTexts({
  en: {
    title: 'Overview',
    description: 'The state of this instance.',
    version: (version: string) => `Greenroom ${version}`,
    parts: 'Parts of the instance',
    states: { ok: 'Ready', unavailable: 'Unavailable' },
    noHealth: 'No state available',
    noHealthText: 'This backend doesn’t report the state of its parts.',
  },
  de: {
    title: 'Übersicht',
    description: 'Der Zustand dieser Instanz.',
    version: (version: string) => `Greenroom ${version}`,
    parts: 'Teile der Instanz',
    states: { ok: 'Bereit', unavailable: 'Nicht verfügbar' },
    noHealth: 'Kein Zustand verfügbar',
    noHealthText: 'Dieses Backend meldet den Zustand seiner Teile nicht.',
  },
});
