/** Texts of mails that notify of a change, in each language. */
import type { NotificationName } from '../settings/mail.ts';
import type { MailLanguage, MailTexts } from './texts.ts';

/** Texts by language and change. */
export const NOTIFICATION_TEXTS: Record<MailLanguage, Record<NotificationName, MailTexts>> = {
  en: {
    password_changed: {
      subject: 'Your password was changed',
      heading: 'Your password was changed',
      intro: 'The account {email} has a new password.',
    },
    email_changed: {
      subject: 'Your email address was changed',
      heading: 'Your email address was changed',
      intro: 'The address of your account is no longer {oldEmail}, but {email}.',
    },
    phone_changed: {
      subject: 'Your phone number was changed',
      heading: 'Your phone number was changed',
      intro: 'The phone number of the account {email} is no longer {oldPhone}, but {phone}.',
    },
    identity_linked: {
      subject: 'A new way to sign in',
      heading: 'A new way to sign in',
      intro: 'The account {email} can now be signed in to with {provider}.',
    },
    identity_unlinked: {
      subject: 'A way to sign in was removed',
      heading: 'A way to sign in was removed',
      intro: 'The account {email} can no longer be signed in to with {provider}.',
    },
    mfa_factor_enrolled: {
      subject: 'A second step was added',
      heading: 'A second step was added',
      intro: 'Signing in to {email} has a second step now: {factor}.',
    },
    mfa_factor_unenrolled: {
      subject: 'A second step was removed',
      heading: 'A second step was removed',
      intro: 'Signing in to {email} no longer has this second step: {factor}.',
    },
  },
  de: {
    password_changed: {
      subject: 'Dein Passwort wurde geändert',
      heading: 'Dein Passwort wurde geändert',
      intro: 'Das Konto {email} hat ein neues Passwort.',
    },
    email_changed: {
      subject: 'Deine E-Mail-Adresse wurde geändert',
      heading: 'Deine E-Mail-Adresse wurde geändert',
      intro: 'Die Adresse deines Kontos ist nicht mehr {oldEmail}, sondern {email}.',
    },
    phone_changed: {
      subject: 'Deine Telefonnummer wurde geändert',
      heading: 'Deine Telefonnummer wurde geändert',
      intro: 'Die Telefonnummer des Kontos {email} ist nicht mehr {oldPhone}, sondern {phone}.',
    },
    identity_linked: {
      subject: 'Ein neuer Weg zum Anmelden',
      heading: 'Ein neuer Weg zum Anmelden',
      intro: 'Beim Konto {email} kann man sich jetzt mit {provider} anmelden.',
    },
    identity_unlinked: {
      subject: 'Ein Weg zum Anmelden wurde entfernt',
      heading: 'Ein Weg zum Anmelden wurde entfernt',
      intro: 'Beim Konto {email} kann man sich nicht mehr mit {provider} anmelden.',
    },
    mfa_factor_enrolled: {
      subject: 'Ein zweiter Schritt kam hinzu',
      heading: 'Ein zweiter Schritt kam hinzu',
      intro: 'Das Anmelden bei {email} hat jetzt einen zweiten Schritt: {factor}.',
    },
    mfa_factor_unenrolled: {
      subject: 'Ein zweiter Schritt wurde entfernt',
      heading: 'Ein zweiter Schritt wurde entfernt',
      intro: 'Das Anmelden bei {email} hat diesen zweiten Schritt nicht mehr: {factor}.',
    },
  },
};

/** Display names of the types of second factors. */
export const FACTOR_NAMES: Record<MailLanguage, Record<string, string>> = {
  en: { totp: 'authenticator app', phone: 'code to a phone', webauthn: 'security key' },
  de: { totp: 'Authenticator-App', phone: 'Code an ein Telefon', webauthn: 'Sicherheitsschlüssel' },
};

/** Small print of notifications, for recipients who did not make the change. */
export const NOT_YOU: Record<MailLanguage, string> = {
  en: 'If this was not you, choose a new password at once and tell the people who run {site}.',
  de: 'Wenn du das nicht warst, wähle sofort ein neues Passwort und sag denen Bescheid, die {site} betreiben.',
};
