/** Texts of the card "Recovery codes". */
import { defineTexts } from './define-texts.ts';

export const recoveryCodeTexts = defineTexts({
  en: {
    title: 'Recovery codes',
    lead: 'If you lose your second factor, sign in with one of these codes. Each code works once.',
    none: 'You have no recovery codes. Without them, you can’t sign in if you lose your second factor.',
    remaining: (remaining: number, total: number) => `${remaining} of ${total} codes remaining.`,
    generate: 'Generate recovery codes',
    regenerate: 'Generate new codes',
    regenerateHint: 'New codes replace your current ones.',
    generated: 'Recovery codes generated. Earlier codes no longer work.',
    shownOnce:
      'Save these codes now. You won’t see them again. Keep them where you can reach them without this device.',
    listLabel: 'Your recovery codes',
    saved: 'I’ve saved my codes',
    download: 'Download codes',
    copy: 'Copy codes',
    fileName: 'greenroom-recovery-codes.txt',
    fileHead: (site: string) => `Recovery codes for ${site}. Each code works once.`,
  },
  de: {
    title: 'Wiederherstellungscodes',
    lead: 'Wenn Sie Ihren zweiten Faktor verlieren, melden Sie sich mit einem dieser Codes an. Jeder Code gilt einmal.',
    none: 'Sie haben keine Wiederherstellungscodes. Ohne sie können Sie sich nicht anmelden, wenn Sie Ihren zweiten Faktor verlieren.',
    remaining: (remaining: number, total: number) => `Noch ${remaining} von ${total} Codes.`,
    generate: 'Wiederherstellungscodes erstellen',
    regenerate: 'Neue Codes erstellen',
    regenerateHint: 'Neue Codes ersetzen Ihre bisherigen.',
    generated: 'Wiederherstellungscodes erstellt. Frühere Codes gelten nicht mehr.',
    shownOnce:
      'Speichern Sie diese Codes jetzt. Sie werden nicht erneut angezeigt. Bewahren Sie sie so auf, dass Sie ohne dieses Gerät darauf zugreifen können.',
    listLabel: 'Ihre Wiederherstellungscodes',
    saved: 'Ich habe meine Codes gespeichert',
    download: 'Codes herunterladen',
    copy: 'Codes kopieren',
    fileName: 'greenroom-wiederherstellungscodes.txt',
    fileHead: (site) => `Wiederherstellungscodes für ${site}. Jeder Code gilt einmal.`,
  },
});
