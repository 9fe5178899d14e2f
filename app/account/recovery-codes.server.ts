/** Recovery codes on the server: how many are left, and making new ones. Backends that do not have them say so. */
import { languageContext } from '../request/contexts.server.ts';
import { callAuth, type VisitorArgs } from '../request/visitor.server.ts';
import { readAuthAnswer } from '../session/auth-answer.ts';
import { recoveryCodeTexts } from '../texts/account-recovery-codes.ts';
import { outcome, refuse } from './outcome.server.ts';

const PATH = '/factors/recovery-codes';

/** What is known of somebody's codes. */
export interface RecoveryCodeCount {
  /** Codes in a set. */
  total: number;
  /** Not used yet; 0 where no set was made. */
  remaining: number;
  /** ISO 8601; undefined where no set was made. */
  createdAt: string | undefined;
}

/** Undefined where the backend has none, or cannot say. Never rejects. */
export async function countRecoveryCodes(args: VisitorArgs): Promise<RecoveryCodeCount | undefined> {
  const answer = await callAuth(args, PATH).catch(() => undefined);
  const { total, remaining, created_at } = (await readAuthAnswer(answer)).body;
  if (typeof total !== 'number' || typeof remaining !== 'number') return undefined;
  return { total, remaining, createdAt: typeof created_at === 'string' ? created_at : undefined };
}

/** The codes of somebody who has just set up their first factor; undefined where they have codes, or cannot have any. */
export async function firstRecoveryCodes(args: VisitorArgs): Promise<string[] | undefined> {
  const count = await countRecoveryCodes(args);
  if (count === undefined || count.createdAt !== undefined) return undefined;
  const made = await makeCodes(args).catch(() => undefined);
  return made?.failure ? undefined : made?.codes;
}

/** Makes new codes; those there were no longer work. */
export async function replaceRecoveryCodes(args: VisitorArgs) {
  const { codes, failure } = await makeCodes(args);
  if (failure) return refuse(args, 'recovery-codes', failure);
  const { made } = recoveryCodeTexts[args.context.get(languageContext)];
  return outcome({ section: 'recovery-codes', success: made, recoveryCodes: codes }, 200);
}

async function makeCodes(args: VisitorArgs) {
  const { body, failure } = await readAuthAnswer(await callAuth(args, PATH, { method: 'POST', body: {} }));
  return { codes: Array.isArray(body.codes) ? body.codes.map(String) : [], failure };
}
