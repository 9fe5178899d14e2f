/** Texts of mails that notify of a change, in each language. */
import type { NotificationName } from '../settings/mail.ts';
import type { MailLanguage, MailTexts } from './texts.ts';

/** Texts by language and change. */
export const NOTIFICATION_TEXTS: Record<MailLanguage, Record<NotificationName, MailTexts>> = {
  en: {
    password_changed: {
      subject: 'Your password was changed',
      heading: 'Your password was changed',
      intro: 'The password of your account {email} at {site} was changed.',
    },
    email_changed: {
      subject: 'Your email address was changed',
      heading: 'Your email address was changed',
      intro: 'The email address of your account at {site} was changed from {oldEmail} to {email}.',
    },
    phone_changed: {
      subject: 'Your phone number was changed',
      heading: 'Your phone number was changed',
      intro: 'The phone number of your account {email} at {site} was changed from {oldPhone} to {phone}.',
    },
    identity_linked: {
      subject: 'A sign-in method was added',
      heading: 'A sign-in method was added',
      intro: 'You can now sign in to your account {email} at {site} with {provider}.',
    },
    identity_unlinked: {
      subject: 'A sign-in method was removed',
      heading: 'A sign-in method was removed',
      intro: 'You can no longer sign in to your account {email} at {site} with {provider}.',
    },
    mfa_factor_enrolled: {
      subject: 'A second factor was added',
      heading: 'A second factor was added',
      intro: 'A second factor was added to your account {email} at {site}: {factor}.',
    },
    mfa_factor_unenrolled: {
      subject: 'A second factor was removed',
      heading: 'A second factor was removed',
      intro: 'A second factor was removed from your account {email} at {site}: {factor}.',
    },
  },
  de: {
    password_changed: {
      subject: 'Ihr Passwort wurde geändert',
      heading: 'Ihr Passwort wurde geändert',
      intro: 'Das Passwort Ihres Kontos {email} bei {site} wurde geändert.',
    },
    email_changed: {
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      heading: 'Ihre E-Mail-Adresse wurde geändert',
      intro: 'Die E-Mail-Adresse Ihres Kontos bei {site} wurde von {oldEmail} in {email} geändert.',
    },
    phone_changed: {
      subject: 'Ihre Telefonnummer wurde geändert',
      heading: 'Ihre Telefonnummer wurde geändert',
      intro: 'Die Telefonnummer Ihres Kontos {email} bei {site} wurde von {oldPhone} in {phone} geändert.',
    },
    identity_linked: {
      subject: 'Anmeldemethode hinzugefügt',
      heading: 'Anmeldemethode hinzugefügt',
      intro: 'Sie können sich bei {site} jetzt auch mit {provider} anmelden (Konto {email}).',
    },
    identity_unlinked: {
      subject: 'Anmeldemethode entfernt',
      heading: 'Anmeldemethode entfernt',
      intro: 'Sie können sich bei {site} nicht mehr mit {provider} anmelden (Konto {email}).',
    },
    mfa_factor_enrolled: {
      subject: 'Zweiter Faktor hinzugefügt',
      heading: 'Zweiter Faktor hinzugefügt',
      intro: 'Ihrem Konto {email} bei {site} wurde ein zweiter Faktor hinzugefügt: {factor}.',
    },
    mfa_factor_unenrolled: {
      subject: 'Zweiter Faktor entfernt',
      heading: 'Zweiter Faktor entfernt',
      intro: 'Aus Ihrem Konto {email} bei {site} wurde ein zweiter Faktor entfernt: {factor}.',
    },
  },
};

/** Display names of the types of second factors. */
export const FACTOR_NAMES: Record<MailLanguage, Record<string, string>> = {
  en: { totp: 'authenticator app', phone: 'text message', webauthn: 'security key' },
  de: { totp: 'Authenticator-App', phone: 'SMS', webauthn: 'Sicherheitsschlüssel' },
};

/** Small print of notifications: what to do if the recipient did not make the change. */
export const NOT_YOUR_CHANGE: Record<MailLanguage, string> = {
  en: 'If you didn’t make this change, reset your password now and contact the administrator of {site}.',
  de: 'Falls Sie diese Änderung nicht vorgenommen haben, setzen Sie sofort Ihr Passwort zurück und wenden Sie sich an die Administratoren von {site}.',
};
