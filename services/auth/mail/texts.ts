/** Texts of mails with a code, in each language. The mailer replaces placeholders such as `{email}`. */
import type { MailKind } from '../settings/mail.ts';

/** Mails that have a code. */
export type FlowMail = Exclude<MailKind, `${string}_notification`>;

/** The texts of one mail. */
export interface MailTexts {
  subject: string;
  heading: string;
  intro: string;
}

/** The texts of a mail with a code. */
interface FlowMailTexts extends MailTexts {
  /** Label of the button; undefined for a mail without a link. */
  action?: string;
  /** Why the recipient got the mail. */
  reason: string;
  /** What to do if the recipient did not request the mail. */
  notRequested: string;
}

export type MailLanguage = 'en' | 'de';

/** The language that a user's metadata prefers. */
export function mailLanguageOf({ locale, language }: Record<string, unknown>): MailLanguage {
  const requested = typeof locale === 'string' ? locale : language;
  return typeof requested === 'string' && /^de\b/i.test(requested) ? 'de' : 'en';
}

/** Texts by language and kind. */
export const MAIL_TEXTS: Record<MailLanguage, Record<FlowMail, FlowMailTexts>> = {
  en: {
    confirmation: {
      subject: 'Confirm your email address',
      heading: 'Confirm your email address',
      intro: 'Confirm {email} to finish creating your account at {site}.',
      action: 'Confirm email address',
      reason: 'You’re receiving this email because an account was created with {email} at {site}.',
      notRequested:
        'If you didn’t create an account, you can ignore this email. The address stays unconfirmed.',
    },
    recovery: {
      subject: 'Reset your password',
      heading: 'Reset your password',
      intro: 'Use this link to choose a new password for {email} at {site}. It works once.',
      action: 'Reset password',
      reason: 'You’re receiving this email because a password reset was requested for {email} at {site}.',
      notRequested: 'If you didn’t request it, you can ignore this email. Your password stays the same.',
    },
    magic_link: {
      subject: 'Sign in to {site}',
      heading: 'Sign in to {site}',
      intro: 'Use this link to sign in as {email}. It works once.',
      action: 'Sign in',
      reason: 'You’re receiving this email because a sign-in link was requested for {email} at {site}.',
      notRequested:
        'If you didn’t request it, you can ignore this email. Don’t share the link or the code with anyone.',
    },
    invite: {
      subject: 'You’ve been invited to {site}',
      heading: 'You’ve been invited to {site}',
      intro: 'Accept the invitation to use your account {email} at {site}.',
      action: 'Accept invitation',
      reason: 'You’re receiving this email because {email} was invited to {site}.',
      notRequested: 'If you weren’t expecting an invitation, you can ignore this email.',
    },
    email_change: {
      subject: 'Confirm your new email address',
      heading: 'Confirm your new email address',
      intro: 'Confirm {newEmail} as the new email address of your account at {site}.',
      action: 'Confirm new address',
      reason:
        'You’re receiving this email because a change of your email address to {newEmail} was requested at {site}.',
      notRequested:
        'If you didn’t request it, you can ignore this email. Nothing changes without your confirmation.',
    },
    reauthentication: {
      subject: '{code} is your verification code',
      heading: 'Your verification code',
      intro: 'Enter this code to confirm a change to your account {email} at {site}.',
      reason: 'You’re receiving this email because a verification code was requested for {email} at {site}.',
      notRequested:
        'If you didn’t request it, don’t share the code with anyone and change your password: someone may be signed in to your account.',
    },
  },
  de: {
    confirmation: {
      subject: 'E-Mail-Adresse bestätigen',
      heading: 'E-Mail-Adresse bestätigen',
      intro: 'Bestätigen Sie {email}, um die Registrierung bei {site} abzuschließen.',
      action: 'E-Mail-Adresse bestätigen',
      reason: 'Sie erhalten diese E-Mail, weil mit {email} ein Konto bei {site} erstellt wurde.',
      notRequested:
        'Falls Sie kein Konto erstellt haben, können Sie diese E-Mail ignorieren. Die Adresse bleibt unbestätigt.',
    },
    recovery: {
      subject: 'Passwort zurücksetzen',
      heading: 'Passwort zurücksetzen',
      intro:
        'Über diesen Link legen Sie ein neues Passwort für {email} bei {site} fest. Er ist einmal gültig.',
      action: 'Passwort zurücksetzen',
      reason: 'Sie erhalten diese E-Mail, weil für {email} bei {site} ein neues Passwort angefordert wurde.',
      notRequested:
        'Falls Sie es nicht angefordert haben, können Sie diese E-Mail ignorieren. Ihr Passwort bleibt unverändert.',
    },
    magic_link: {
      subject: 'Bei {site} anmelden',
      heading: 'Bei {site} anmelden',
      intro: 'Über diesen Link melden Sie sich als {email} an. Er ist einmal gültig.',
      action: 'Anmelden',
      reason: 'Sie erhalten diese E-Mail, weil für {email} bei {site} ein Anmeldelink angefordert wurde.',
      notRequested:
        'Falls Sie ihn nicht angefordert haben, können Sie diese E-Mail ignorieren. Geben Sie Link und Code nicht weiter.',
    },
    invite: {
      subject: 'Einladung zu {site}',
      heading: 'Einladung zu {site}',
      intro: 'Nehmen Sie die Einladung an, um Ihr Konto {email} bei {site} zu nutzen.',
      action: 'Einladung annehmen',
      reason: 'Sie erhalten diese E-Mail, weil {email} zu {site} eingeladen wurde.',
      notRequested: 'Falls Sie keine Einladung erwartet haben, können Sie diese E-Mail ignorieren.',
    },
    email_change: {
      subject: 'Neue E-Mail-Adresse bestätigen',
      heading: 'Neue E-Mail-Adresse bestätigen',
      intro: 'Bestätigen Sie {newEmail} als neue E-Mail-Adresse Ihres Kontos bei {site}.',
      action: 'Neue Adresse bestätigen',
      reason:
        'Sie erhalten diese E-Mail, weil bei {site} die Änderung Ihrer E-Mail-Adresse in {newEmail} angefordert wurde.',
      notRequested:
        'Falls Sie die Änderung nicht angefordert haben, können Sie diese E-Mail ignorieren. Ohne Ihre Bestätigung ändert sich nichts.',
    },
    reauthentication: {
      subject: '{code} ist Ihr Bestätigungscode',
      heading: 'Ihr Bestätigungscode',
      intro: 'Geben Sie diesen Code ein, um eine Änderung an Ihrem Konto {email} bei {site} zu bestätigen.',
      reason:
        'Sie erhalten diese E-Mail, weil für {email} bei {site} ein Bestätigungscode angefordert wurde.',
      notRequested:
        'Falls Sie ihn nicht angefordert haben, geben Sie den Code nicht weiter und ändern Sie Ihr Passwort: Möglicherweise ist eine andere Person in Ihrem Konto angemeldet.',
    },
  },
};

/** Text between the button and the code, by language. */
export const CODE_HINT: Record<MailLanguage, string> = {
  en: 'Or enter this code:',
  de: 'Oder geben Sie diesen Code ein:',
};
