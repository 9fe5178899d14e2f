import type { Mail } from './mail.ts';

/** An attachment of a received mail. */
interface MailAttachment {
  /** `1`, `2`, … */
  id: string;
  /** Empty if it has none. */
  fileName: string;
  /** Media type. */
  type: string;
  /** Empty if it has none. */
  contentId: string;
  content: Buffer;
}

/** Returns the attachments of a mail; those of the instance have none. */
export async function attachmentsOf({ attachmentCount, source }: Mail): Promise<MailAttachment[]> {
  if (attachmentCount === 0) return [];
  const { parseEmail } = await import('./received.ts');
  const { attachments } = await parseEmail(source);
  return attachments.map(({ filename, mimeType, contentId, content }, index) => ({
    id: String(index + 1),
    fileName: filename ?? '',
    type: mimeType,
    contentId: contentId ?? '',
    content: typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as ArrayBuffer),
  }));
}
