/** Mails and SMS of the instance, which are kept in its mailbox because no mail server is configured. */
import { withDatabase } from './database.ts';

interface Message {
  kind: string;
  text: string;
  link: string | null;
  code: string;
}

/** Inserts mails into the mailbox as if the instance had created them. `folder` is that of a separate instance. */
export async function putMails(
  mails: readonly { recipient: string; subject: string; text?: string; html?: string; state?: string }[],
  folder?: string,
): Promise<void> {
  await withDatabase(folder, async (database) => {
    for (const { recipient, subject, text = 'Hello', html = null, state = 'kept' } of mails) {
      await database.query({
        text: `insert into greenroom.messages (channel, kind, recipient, subject, text_body, html_body, state,
            next_attempt_at)
          values ('mail', 'recovery', $1, $2, $3, $4, $5, now() + interval '1 day')`,
        values: [recipient, subject, text, html, state],
      });
    }
  });
}

/** Returns the newest message to a recipient. `folder` is that of a separate instance. */
export async function latestMessage(recipient: string, folder?: string): Promise<Message> {
  const [message] = await withDatabase(folder, (database) =>
    database.query<Omit<Message, 'code'>>({
      text: `select kind, text_body as text, link from greenroom.messages
        where recipient = $1 order by created_at desc limit 1`,
      values: [recipient],
    }),
  );
  if (message === undefined) throw new Error(`no message to ${recipient}`);
  return { ...message, code: /^(?:Your code is )?(\d{6,10})$/m.exec(message.text)?.[1] ?? '' };
}
