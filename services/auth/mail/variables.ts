/**
 * The variables of templates, under GoTrue's names. A variable that a mail does not have is undefined and renders as an
 * empty text.
 */
import type { MailData } from '../contracts/mailer.ts';
import { TrustedUrl } from './template/index.ts';

/**
 * The variables of a mail.
 * @param link target of the mail's link; undefined: no link
 */
export function variablesOf(data: MailData, siteUrl: string, link: string | undefined) {
  return {
    SiteURL: new TrustedUrl(siteUrl),
    ...(link === undefined ? {} : { ConfirmationURL: new TrustedUrl(link) }),
    Email: data.email,
    NewEmail: data.newEmail,
    SendingTo: data.to,
    Token: data.token,
    TokenHash: data.tokenHash,
    Data: data.userMetadata,
    ...(data.redirectTo === undefined ? {} : { RedirectTo: new TrustedUrl(data.redirectTo) }),
    OldEmail: data.oldEmail,
    Phone: data.phone,
    OldPhone: data.oldPhone,
    Provider: data.provider,
    FactorType: data.factorType,
  };
}
