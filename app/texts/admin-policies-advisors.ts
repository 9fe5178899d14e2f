/** Texts of the advisors in the admin area. */
import { plural } from '../lib/format/plural.ts';
import { defineTexts } from './define-texts.ts';

export const advisorsTexts = defineTexts({
  en: {
    title: 'Advisors',
    loading: 'Checking the database…',
    none: 'No problems found',
    noneText:
      'The advisors check tables, policies, functions and indexes for problems of security and performance.',
    levels: {
      ERROR: plural('en', { one: '1 error', other: (count) => `${count} errors` }),
      WARN: plural('en', { one: '1 warning', other: (count) => `${count} warnings` }),
      INFO: plural('en', { one: '1 suggestion', other: (count) => `${count} suggestions` }),
    },
    level: { ERROR: 'Error', WARN: 'Warning', INFO: 'Suggestion' },
    categories: { security: 'Security', performance: 'Performance' },
    remedy: 'Remedy',
    openTable: (name: string) => `Open ${name}`,
    fix: 'Fix…',
    fixOf: (detail: string) => `Fix: ${detail}`,
    confirm: 'Run this SQL?',
    run: 'Run SQL',
    cancel: 'Cancel',
    fixGone: 'This problem no longer exists',
    fixGoneText: 'It was fixed meanwhile, or its SQL changed. Nothing was run.',
    fixFailed: 'PostgreSQL refused the SQL',
  },
  de: {
    title: 'Hinweise',
    loading: 'Die Datenbank wird geprüft …',
    none: 'Keine Probleme gefunden',
    noneText:
      'Geprüft werden Tabellen, Richtlinien, Funktionen und Indizes auf Probleme der Sicherheit und der Geschwindigkeit.',
    levels: {
      ERROR: plural('de', { one: '1 Fehler', other: (count) => `${count} Fehler` }),
      WARN: plural('de', { one: '1 Warnung', other: (count) => `${count} Warnungen` }),
      INFO: plural('de', { one: '1 Vorschlag', other: (count) => `${count} Vorschläge` }),
    },
    level: { ERROR: 'Fehler', WARN: 'Warnung', INFO: 'Vorschlag' },
    categories: { security: 'Sicherheit', performance: 'Geschwindigkeit' },
    remedy: 'Abhilfe',
    openTable: (name: string) => `${name} öffnen`,
    fix: 'Beheben …',
    fixOf: (detail: string) => `Beheben: ${detail}`,
    confirm: 'Dieses SQL ausführen?',
    run: 'SQL ausführen',
    cancel: 'Abbrechen',
    fixGone: 'Dieses Problem gibt es nicht mehr',
    fixGoneText: 'Es wurde inzwischen behoben, oder sein SQL hat sich geändert. Es wurde nichts ausgeführt.',
    fixFailed: 'PostgreSQL hat das SQL abgelehnt',
  },
});
