/** Names and icons of the properties of messages. */
import type { mailboxTexts } from '../../../texts/mailbox.ts';
import type { BadgeTone } from '../../../ui/badge.tsx';
import type { IconName } from '../../../ui/icon.tsx';
import type { MessageRow, MessageStatus } from './messages.ts';
import type { Channel } from './selection.ts';

type MailboxTexts = (typeof mailboxTexts)['en' | 'de'];

export const CHANNEL_ICONS: Record<Channel, IconName> = {
  mail: 'mail',
  sms: 'lucide:message-square',
  whatsapp: 'lucide:message-circle',
};

export const STATUS_TONES: Record<MessageStatus, BadgeTone> = {
  queued: 'warning',
  sent: 'primary',
  kept: 'neutral',
  failed: 'danger',
};

/** Returns the purpose of a message. An unknown purpose is shown as the backend writes it. */
export function purposeOf(
  { kind }: Pick<MessageRow, 'kind'>,
  { kinds }: Pick<MailboxTexts, 'kinds'>,
): string {
  return Object.hasOwn(kinds, kind) ? kinds[kind as keyof typeof kinds] : kind.replaceAll('_', ' ');
}

/**
 * Returns the subject. Messages other than emails have none, and their first words may be a code, so their
 * purpose is shown.
 */
export function titleOf(message: Pick<MessageRow, 'kind' | 'subject'>, texts: MailboxTexts): string {
  return message.subject || purposeOf(message, texts);
}
