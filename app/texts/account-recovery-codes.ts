/** Texts about the recovery codes on the account page. */
import { defineTexts } from './define-texts.ts';

export const recoveryCodeTexts = defineTexts({
  en: {
    title: 'Recovery codes',
    lead: 'Each of them signs you in once when your second factor is lost.',
    none: 'You have no recovery codes. Without them, a lost second factor locks you out of your account.',
    left: (remaining: number, total: number) => `${remaining} of ${total} codes are left.`,
    make: 'Make recovery codes',
    makeNew: 'Make new codes',
    replaced: 'New codes take the place of these.',
    made: 'The codes are made. Earlier ones no longer work.',
    shownOnce: 'These codes are shown only now. Keep them where you find them without this device.',
    listLabel: 'Your recovery codes',
    saved: 'I have saved them',
    download: 'Download',
    copy: 'Copy codes',
    fileName: 'greenroom-recovery-codes.txt',
    fileHead: 'Recovery codes for Greenroom. Each of them works once.',
  },
  de: {
    title: 'Wiederherstellungscodes',
    lead: 'Jeder meldet Sie einmal an, wenn Ihr zweiter Faktor verloren ist.',
    none: 'Sie haben keine Wiederherstellungscodes. Ohne sie sperrt ein verlorener zweiter Faktor Sie aus Ihrem Konto aus.',
    left: (remaining: number, total: number) => `${remaining} von ${total} Codes sind übrig.`,
    make: 'Wiederherstellungscodes erstellen',
    makeNew: 'Neue Codes erstellen',
    replaced: 'Neue Codes treten an die Stelle dieser.',
    made: 'Die Codes sind erstellt. Frühere gelten nicht mehr.',
    shownOnce:
      'Diese Codes werden nur jetzt gezeigt. Bewahren Sie sie dort auf, wo Sie sie ohne dieses Gerät finden.',
    listLabel: 'Ihre Wiederherstellungscodes',
    saved: 'Ich habe sie gesichert',
    download: 'Herunterladen',
    copy: 'Codes kopieren',
    fileName: 'greenroom-wiederherstellungscodes.txt',
    fileHead: 'Wiederherstellungscodes für Greenroom. Jeder gilt einmal.',
  },
});
