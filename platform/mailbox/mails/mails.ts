/** Reads, adds and deletes the mails of the mailbox, which are the kept mails of `greenroom.messages`. */
import type { Database, Statement } from '@greenroom/postgres';
import type { Mail, MailAddress, MailSummary } from './mail.ts';
import type { ReceivedMail } from './received.ts';
import { contentOf, IS_MAIL, type MailRow, SUMMARY_COLUMNS, type SummaryRow, toSummary } from './rows.ts';
import { matches, type SearchTerm, textsOf } from './search.ts';

/** A part of a list. */
export interface Page {
  /** Number of mails to skip. */
  start: number;
  limit: number;
}

/** A part of a list, newest first. */
interface MailPage {
  mails: readonly MailSummary[];
  /** Number of mails in all parts. */
  total: number;
}

/** The mails of the mailbox. */
export interface Mails {
  list(page: Page): Promise<MailPage>;
  /** Returns all mails that match all terms, newest first. */
  search(terms: readonly SearchTerm[]): Promise<MailSummary[]>;
  /** Returns a whole mail; undefined if it does not exist. */
  find(id: string): Promise<Mail | undefined>;
  /** Returns how many of these mails exist. */
  count(ids: readonly string[]): Promise<number>;
  add(mail: ReceivedMail): Promise<void>;
  /** Deletes these mails; other messages stay. Returns how many existed. */
  remove(ids: readonly string[]): Promise<number>;
  clear(): Promise<void>;
}

/** Received mails above these totals are deleted, oldest first, so that they cannot displace those of the instance. */
const MAX_RECEIVED = 500;
const MAX_RECEIVED_BYTES = 64 * 1024 * 1024;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NEWEST_FIRST = 'order by created_at desc, id';

/**
 * Opens the mailbox.
 * @param database logged in as the owner of `greenroom.messages`
 * @param sender of the mails of the instance
 */
export function openMails(database: Database, sender: MailAddress): Mails {
  return {
    async list(page) {
      const [rows = [], [count] = []] = await database.batch(listStatements(page));
      const mails = (rows as unknown as SummaryRow[]).map((row) => toSummary(row, sender));
      return { mails, total: Number(count?.total ?? 0) };
    },
    async search(terms) {
      const rows = await database.query<SummaryRow & { hits: boolean[] }>(searchStatement(textsOf(terms)));
      return rows
        .map((row) => ({ mail: toSummary(row, sender), hits: row.hits }))
        .filter(({ mail, hits }) => matches(mail, terms, hits))
        .map(({ mail }) => mail);
    },
    find: (id) => findMail(database, id, sender),
    add: async (mail) => void (await database.batch([insertion(mail), excess()])),
    async count(ids) {
      const [row] = await database.query<{ total: string }>(countStatement(ids));
      return Number(row?.total ?? 0);
    },
    async remove(ids) {
      const deleted = await database.query(deletion(ids.filter((id) => UUID.test(id))));
      return deleted.length;
    },
    clear: async () =>
      void (await database.query({ text: `delete from greenroom.messages where ${IS_MAIL}` })),
  };
}

async function findMail(database: Database, id: string, sender: MailAddress): Promise<Mail | undefined> {
  if (!UUID.test(id)) return undefined;
  const [row] = await database.query<MailRow>({
    name: 'mailbox_find',
    text: `select ${SUMMARY_COLUMNS}, text_body, html_body, source from greenroom.messages
      where id = $1 and ${IS_MAIL}`,
    values: [id],
  });
  if (row === undefined) return undefined;
  const mail = { ...toSummary(row, sender), ...contentOf(row) };
  if (mail.source !== undefined) return { ...mail, source: mail.source };
  const { composeSource } = await import('./source.ts');
  return { ...mail, source: await composeSource(mail) };
}

function listStatements({ start, limit }: Page): Statement[] {
  return [
    {
      name: 'mailbox_list',
      text: `select ${SUMMARY_COLUMNS} from greenroom.messages where ${IS_MAIL}
        ${NEWEST_FIRST} limit $1 offset $2`,
      values: [limit, start],
    },
    { name: 'mailbox_count', text: `select count(*) as total from greenroom.messages where ${IS_MAIL}` },
  ];
}

function countStatement(ids: readonly string[]): Statement {
  return {
    name: 'mailbox_count_some',
    text: `select count(*) as total from greenroom.messages where id = any($1::uuid[]) and ${IS_MAIL}`,
    values: [ids],
  };
}

/** Selects all mails. `hits` has for each text whether the mail contains it, regardless of case. */
function searchStatement(texts: readonly string[]): Statement {
  return {
    name: 'mailbox_search',
    text: `select ${SUMMARY_COLUMNS}, array(
        select strpos(lower(concat_ws(' ', recipient, subject, mail::text, text_body, html_body)), term) > 0
        from unnest($1::text[]) with ordinality as terms (term, position) order by position
      ) as hits
      from greenroom.messages where ${IS_MAIL} ${NEWEST_FIRST}`,
    values: [texts],
  };
}

function insertion({ recipient, subject, text, html, fields, source }: ReceivedMail): Statement {
  return {
    name: 'mailbox_add',
    text: `insert into greenroom.messages (channel, kind, recipient, subject, text_body, html_body, state, mail, source)
      values ('mail', 'received', $1, $2, $3, $4, 'kept', $5, $6)`,
    values: [recipient, subject, text, html, JSON.stringify(fields), source],
  };
}

function excess(): Statement {
  return {
    name: 'mailbox_delete_excess',
    text: `delete from greenroom.messages where id in (
        select id from (
          select id, row_number() over newest as position, sum(octet_length(source)) over newest as bytes
          from greenroom.messages where source is not null window newest as (${NEWEST_FIRST})
        ) received
        where position > $1 or bytes > $2)`,
    values: [MAX_RECEIVED, MAX_RECEIVED_BYTES],
  };
}

function deletion(ids: readonly string[]): Statement {
  return {
    name: 'mailbox_delete',
    text: `delete from greenroom.messages where id = any($1::uuid[]) and ${IS_MAIL} returning id`,
    values: [ids],
  };
}
