/** Texts about the sign-in methods of an account. */
import { defineTexts } from './define-texts.ts';

export const identitiesTexts = defineTexts({
  en: {
    title: 'Ways to sign in',
    lead: 'Addresses and services that lead to this account.',
    addresses: { email: 'Email', phone: 'Phone' },
    none: 'There is none yet.',
    link: (service: string) => `Link ${service}`,
    unlink: 'Unlink',
    unlinkOf: (service: string) => `Unlink ${service}`,
    unlinked: 'That way is unlinked.',
    askTitle: (service: string) => `Unlink ${service}?`,
    askText: (service: string) => `You can no longer sign in with ${service}.`,
    keep: 'Keep it',
    off: 'Linking and unlinking is not switched on here.',
    last: 'This is your only way to sign in. Add another one first.',
    conflict: 'Another account has the address that would be left. Change your address first.',
  },
  de: {
    title: 'Wege zur Anmeldung',
    lead: 'Adressen und Dienste, die zu diesem Konto führen.',
    addresses: { email: 'E-Mail', phone: 'Telefon' },
    none: 'Es gibt noch keinen.',
    link: (service: string) => `${service} verknüpfen`,
    unlink: 'Trennen',
    unlinkOf: (service: string) => `${service} trennen`,
    unlinked: 'Dieser Weg ist getrennt.',
    askTitle: (service: string) => `${service} trennen?`,
    askText: (service: string) => `Sie können sich dann nicht mehr mit ${service} anmelden.`,
    keep: 'Behalten',
    off: 'Verknüpfen und Trennen ist hier nicht eingeschaltet.',
    last: 'Das ist Ihr einziger Weg zur Anmeldung. Fügen Sie zuerst einen anderen hinzu.',
    conflict: 'Die Adresse, die übrig bliebe, hat ein anderes Konto. Ändern Sie zuerst Ihre Adresse.',
  },
});
