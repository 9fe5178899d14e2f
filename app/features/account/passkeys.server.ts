/** The server side of the user's passkeys. Adding one happens in the browser. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { languageContext } from '../../shell/request/contexts.server.ts';
import type { VisitorArgs } from '../../shell/request/visitor.server.ts';
import { passkeysTexts } from '../../texts/account-passkeys.ts';
import { fieldOf, outcome, refuse } from './outcome.server.ts';

/** A passkey. */
export interface OwnPasskey {
  id: string;
  name: string;
  /** Seconds since 1970. */
  createdAt: number;
  /** Undefined until it is used. */
  usedAt: number | undefined;
}

/** All passkeys, or that the request failed. */
export type PasskeyList = { kind: 'list'; passkeys: OwnPasskey[] } | { kind: 'problem' };

const MAX_NAME_CHARACTERS = 120;

/** Returns the user's passkeys. Never rejects. */
export async function listPasskeys({ auth }: SupabaseClient): Promise<PasskeyList> {
  try {
    const { data: found, error } = await auth.passkey.list();
    if (error) return { kind: 'problem' };
    return {
      kind: 'list',
      passkeys: found.map(({ id, friendly_name, created_at, last_used_at }) => ({
        id,
        name: friendly_name ?? '',
        createdAt: secondsOf(created_at),
        usedAt: last_used_at ? secondsOf(last_used_at) : undefined,
      })),
    };
  } catch {
    return { kind: 'problem' };
  }
}

function secondsOf(date: string): number {
  return Math.floor(Date.parse(date) / 1000);
}

export async function renamePasskey(args: VisitorArgs, form: FormData, { auth }: SupabaseClient) {
  const texts = passkeysTexts[args.context.get(languageContext)];
  const typed = fieldOf(form, 'name').trim();
  if (typed === '') return outcome({ card: 'passkeys', problem: texts.nameMissing, typed }, 400);
  if (typed.length > MAX_NAME_CHARACTERS) {
    return outcome({ card: 'passkeys', problem: texts.nameTooLong(MAX_NAME_CHARACTERS), typed }, 422);
  }
  const { error } = await auth.passkey.update({
    passkeyId: fieldOf(form, 'passkeyId', 64),
    friendlyName: typed,
  });
  if (error) return refuse(args, 'passkeys', error, typed);
  return outcome({ card: 'passkeys', success: texts.renamed }, 200);
}

export async function removePasskey(args: VisitorArgs, form: FormData, { auth }: SupabaseClient) {
  const texts = passkeysTexts[args.context.get(languageContext)];
  const { error } = await auth.passkey.delete({ passkeyId: fieldOf(form, 'passkeyId', 64) });
  if (error) return refuse(args, 'passkeys', error);
  return outcome({ card: 'passkeys', success: texts.removed }, 200);
}
