/** Finishes what a link in a mail, or another service, began: exchanges the code for a session. */
import { data } from 'react-router';
import { describeAuthError } from '../login/auth-errors.ts';
import { languageContext, sessionContext } from '../request/contexts.server.ts';
import { redirectToSavedPath, type VisitorArgs, visitorClient } from '../request/visitor.server.ts';
import { readCallback } from './callback.ts';

/** What the page says when it sends nobody on. */
export interface ConfirmOutcome {
  /** Undefined where there was nothing to do. */
  problem: string | undefined;
}

/** With a session there, in the end, the visitor goes to the saved path. */
export async function confirm(args: VisitorArgs & { url: URL }) {
  const callback = readCallback(args.url.searchParams);
  if (callback.kind === 'error') {
    const language = args.context.get(languageContext);
    return refuse(describeAuthError({ name: 'AuthApiError', status: 400, ...callback }, language));
  }
  if (callback.kind === 'code') return exchange(args, callback.code);
  if (args.context.get(sessionContext)) return redirectToSavedPath(args);
  return data<ConfirmOutcome>({ problem: undefined });
}

async function exchange(args: VisitorArgs, code: string) {
  const client = await visitorClient(args);
  const { error } = await client.auth.exchangeCodeForSession(code);
  if (error) return refuse(describeAuthError(error, args.context.get(languageContext)));
  return redirectToSavedPath(args);
}

function refuse({ message, status }: { message: string; status: number }) {
  return data<ConfirmOutcome>({ problem: message }, { status });
}
