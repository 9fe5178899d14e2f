/** What templates may show, under GoTrue's names. What a mail does not have is missing, and so shown as nothing. */
import type { MailData } from '../contracts/mailer.ts';
import { OwnUrl } from './template/index.ts';

/** The variables of a mail. @param link where the reader is sent, if anywhere */
export function variablesOf(data: MailData, siteUrl: string, link: string | undefined) {
  return {
    SiteURL: new OwnUrl(siteUrl),
    ...(link === undefined ? {} : { ConfirmationURL: new OwnUrl(link) }),
    Email: data.email,
    NewEmail: data.newEmail,
    SendingTo: data.to,
    Token: data.token,
    TokenHash: data.tokenHash,
    Data: data.userMetadata,
    ...(data.redirectTo === undefined ? {} : { RedirectTo: new OwnUrl(data.redirectTo) }),
    OldEmail: data.oldEmail,
    Phone: data.phone,
    OldPhone: data.oldPhone,
    Provider: data.provider,
    FactorType: data.factorType,
  };
}
