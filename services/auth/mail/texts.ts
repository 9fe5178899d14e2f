/** Texts of mails with a code, in each language. The mailer replaces placeholders such as `{email}`. */
import type { MailKind } from '../settings/mail.ts';

/** Mails that have a code. */
export type FlowMail = Exclude<MailKind, `${string}_notification`>;

/** The texts of one mail. `action` is the label of its button, if it has a link. */
export interface MailTexts {
  subject: string;
  heading: string;
  intro: string;
  action?: string;
}

/** Texts in every mail. */
interface CommonTexts {
  code: string;
  sentTo: string;
  notYou: string;
}

export type MailLanguage = 'en' | 'de';

/** The language that a user's metadata prefers. */
export function mailLanguageOf({ locale, language }: Record<string, unknown>): MailLanguage {
  const wanted = typeof locale === 'string' ? locale : language;
  return typeof wanted === 'string' && /^de\b/i.test(wanted) ? 'de' : 'en';
}

/** Texts by language and kind. */
export const MAIL_TEXTS: Record<MailLanguage, Record<FlowMail, MailTexts>> = {
  en: {
    confirmation: {
      subject: 'Confirm your email address',
      heading: 'Confirm your email address',
      intro: 'One step left: tell us that {email} is yours, and your account is ready.',
      action: 'Confirm address',
    },
    recovery: {
      subject: 'Choose a new password',
      heading: 'Choose a new password',
      intro: 'Somebody asked for a new password for {email}. This link lets you choose one.',
      action: 'Choose a password',
    },
    magic_link: {
      subject: 'Your link to sign in',
      heading: 'Sign in',
      intro: 'This link signs you in as {email}. It works once.',
      action: 'Sign in',
    },
    invite: {
      subject: 'You are invited',
      heading: 'You are invited',
      intro: 'An account was made for {email} at {site}. Accept, and it is yours.',
      action: 'Accept the invitation',
    },
    email_change: {
      subject: 'Confirm your new email address',
      heading: 'Confirm your new email address',
      intro: 'The address of the account {email} is to become {newEmail}.',
      action: 'Confirm the change',
    },
    reauthentication: {
      subject: 'Your code: {code}',
      heading: 'Is it you?',
      intro: 'Type this code to go on with what you were doing as {email}.',
    },
  },
  de: {
    confirmation: {
      subject: 'E-Mail-Adresse bestätigen',
      heading: 'E-Mail-Adresse bestätigen',
      intro: 'Nur noch ein Schritt: Bestätige, dass {email} dir gehört, und dein Konto ist bereit.',
      action: 'Adresse bestätigen',
    },
    recovery: {
      subject: 'Neues Passwort wählen',
      heading: 'Neues Passwort wählen',
      intro: 'Für {email} wurde ein neues Passwort angefordert. Mit diesem Link wählst du eines.',
      action: 'Passwort wählen',
    },
    magic_link: {
      subject: 'Dein Link zum Anmelden',
      heading: 'Anmelden',
      intro: 'Dieser Link meldet dich als {email} an. Er gilt einmal.',
      action: 'Anmelden',
    },
    invite: {
      subject: 'Du bist eingeladen',
      heading: 'Du bist eingeladen',
      intro: 'Für {email} wurde ein Konto bei {site} angelegt. Nimm an, und es ist deins.',
      action: 'Einladung annehmen',
    },
    email_change: {
      subject: 'Neue E-Mail-Adresse bestätigen',
      heading: 'Neue E-Mail-Adresse bestätigen',
      intro: 'Die Adresse des Kontos {email} soll {newEmail} werden.',
      action: 'Änderung bestätigen',
    },
    reauthentication: {
      subject: 'Dein Code: {code}',
      heading: 'Bist du es?',
      intro: 'Gib diesen Code ein, um als {email} fortzufahren.',
    },
  },
};

/** Texts of every mail, by language. */
export const COMMON_TEXTS: Record<MailLanguage, CommonTexts> = {
  en: {
    code: 'Or type this code where you were asked for one:',
    sentTo: 'This mail was sent to {to}.',
    notYou: 'If this was not you, you can ignore it: nothing changes.',
  },
  de: {
    code: 'Oder gib diesen Code dort ein, wo danach gefragt wird:',
    sentTo: 'Diese E-Mail ging an {to}.',
    notYou: 'Wenn du das nicht warst, musst du nichts tun: Es ändert sich nichts.',
  },
};
