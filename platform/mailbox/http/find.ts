/** Finds the mail that a path names. */
import type { FastifyRequest } from 'fastify';
import type { Mail } from '../mails/mail.ts';
import type { Mails } from '../mails/mails.ts';
import { parseSearch } from '../mails/search.ts';
import type { SeenMails } from './seen.ts';

const LATEST = 'latest';

/** Returns a text of the query; empty if it is missing. */
export function queryText({ query }: FastifyRequest, name: string): string {
  const value = (query as Record<string, unknown>)[name];
  return typeof value === 'string' ? value.trim() : '';
}

/**
 * Returns a mail, which then counts as read; undefined if it does not exist. The id `latest` names the newest mail, with the
 * parameter `query` the newest one that matches.
 */
export async function findMail(
  request: FastifyRequest,
  id: string,
  { mails, seen }: { mails: Mails; seen: SeenMails },
): Promise<Mail | undefined> {
  const found = await mails.find(id === LATEST ? await latestId(request, mails) : id);
  if (found !== undefined) seen.add(found.id);
  return found;
}

async function latestId(request: FastifyRequest, mails: Mails): Promise<string> {
  const terms = parseSearch(queryText(request, 'query'));
  const newest =
    terms.length > 0 ? await mails.search(terms) : (await mails.list({ start: 0, limit: 1 })).mails;
  return newest[0]?.id ?? '';
}
