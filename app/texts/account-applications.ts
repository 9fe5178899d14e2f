/** Texts about OAuth applications with access to the account. */
import { defineTexts } from './define-texts.ts';

export const applicationsTexts = defineTexts({
  en: {
    title: 'Applications',
    lead: 'Other applications in which you have signed in with this account.',
    problem: 'Your applications cannot be shown at the moment. Please load the page again.',
    none: 'You have not allowed any application to know who you are.',
    unnamed: 'An application without a name',
    since: 'Allowed',
    revoke: 'Take back',
    revokeOf: (name: string) => `Take back what ${name} may know`,
    askTitle: (name: string) => `Take back what ${name} may know?`,
    askText:
      'It is signed out of your account, and has to ask you again. What it knows already, it may keep.',
    keep: 'Keep it',
    revoked: 'The application may no longer know who you are.',
  },
  de: {
    title: 'Anwendungen',
    lead: 'Andere Anwendungen, in denen Sie sich mit diesem Konto angemeldet haben.',
    problem: 'Ihre Anwendungen können gerade nicht gezeigt werden. Laden Sie die Seite noch einmal.',
    none: 'Sie haben keiner Anwendung erlaubt zu wissen, wer Sie sind.',
    unnamed: 'Eine Anwendung ohne Namen',
    since: 'Erlaubt',
    revoke: 'Zurücknehmen',
    revokeOf: (name: string) => `Zurücknehmen, was ${name} wissen darf`,
    askTitle: (name: string) => `Zurücknehmen, was ${name} wissen darf?`,
    askText:
      'Die Anwendung wird von Ihrem Konto abgemeldet und muss Sie noch einmal fragen. Was sie schon weiß, kann sie behalten.',
    keep: 'Behalten',
    revoked: 'Die Anwendung darf nicht mehr wissen, wer Sie sind.',
  },
});
