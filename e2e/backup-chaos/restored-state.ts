/** Reads the state of a restored instance. */
import { readInstanceRecord } from '@greenroom/data-folder';
import { openSession, type Session } from '@greenroom/postgres';
import type { SupabaseClient } from '@supabase/supabase-js';
import { pick, type Random } from '../crash/random.ts';
import type { Access } from '../crash/writers.ts';
import type { State } from './journal.ts';
import { ARCHIVED, BUCKET, hashOf, openClient, PASSWORD, QUEUE, QUEUED, SIGNED_UP } from './load.ts';

const DOWNLOADS_AT_ONCE = 6;
/** Users whose passwords are tried. */
const SIGN_INS = 8;

/** A state, and what contradicts itself in it. */
export interface RestoredState {
  state: State;
  /** Rows of storage.objects without content or with the content of another version, and users that cannot sign in. */
  contradictions: string[];
}

/** Reads a running instance. */
export async function readState(folder: string, access: Access, random: Random): Promise<RestoredState> {
  const record = await readInstanceRecord(folder);
  const url = record?.credentials?.adminDatabaseUrl ?? '';
  const session = await openSession({ url, applicationName: 'backup-chaos' });
  try {
    const objects = await readObjects(session, openClient(access, access.serviceKey));
    const user = await valuesOf(session, `select email as id, '${SIGNED_UP}' as value from auth.users`);
    const refused = await refusedSignIns(access, [...user.keys()], random);
    const state = {
      row: await valuesOf(session, 'select id::text, text as value from public.notes'),
      object: objects.hashes,
      user,
      message: await valuesOf(
        session,
        `select message ->> 'name' as id, string_agg(place, ' and ') as value from (
          select message, '${QUEUED}' as place from pgmq.q_${QUEUE}
          union all select message, '${ARCHIVED}' from pgmq.a_${QUEUE}
        ) as messages group by 1`,
      ),
    };
    return { state, contradictions: [...objects.contradictions, ...refused] };
  } finally {
    await session.close();
  }
}

async function valuesOf(session: Session, text: string): Promise<Map<string, string>> {
  const [rows = []] = await session.batch([{ text }]);
  return new Map(rows.map(({ id, value }) => [String(id), String(value)]));
}

/** Downloads all objects. */
async function readObjects(session: Session, service: SupabaseClient) {
  const rows = await valuesOf(
    session,
    `select name as id, trim('"' from metadata ->> 'eTag') as value from storage.objects`,
  );
  const hashes = new Map<string, string>();
  const contradictions: string[] = [];
  const queue = rows.entries();
  const work = async () => {
    for (const [key, hash] of queue) {
      const { data, error } = await service.storage.from(BUCKET).download(key);
      const found = data ? hashOf(new Uint8Array(await data.arrayBuffer())) : undefined;
      if (found !== hash)
        contradictions.push(
          `object ${key}: its row has the hash ${hash}, its content ${found ?? error?.message}`,
        );
      hashes.set(key, found ?? hash);
    }
  };
  await Promise.all(Array.from({ length: DOWNLOADS_AT_ONCE }, work));
  return { hashes, contradictions };
}

/** Signs in as some of the users, most of them the newest ones. */
async function refusedSignIns(access: Access, emails: readonly string[], random: Random): Promise<string[]> {
  const newest = emails.slice(-SIGN_INS / 2);
  const chosen = new Set([...newest, ...newest.map(() => pick(random, emails))]);
  const refused: string[] = [];
  for (const email of chosen) {
    const { auth } = openClient(access, access.anonKey);
    const { error } = await auth.signInWithPassword({ email, password: PASSWORD });
    if (error) refused.push(`user ${email} cannot sign in: ${error.message}`);
  }
  return refused;
}
