/** The types of attacks. The suite uses the descriptions, and the attacker's process runs the code. */
import type { Account, Victim } from '../account.ts';
import type { Profile } from '../instance/settings.ts';
import type { Goal } from '../report/verdict.ts';
import type { Tally } from './tally.ts';

/** The input of an attack, sent to the attacker's process. */
export interface AttackInput {
  name: string;
  url: string;
  /** Client address of the attacker, in 127.0.0.0/8. */
  address: string;
  seconds: number;
  anonKey: string;
  accounts: readonly Account[];
  victims: readonly Victim[];
}

/** The input with the tools of a running attack. */
export interface AttackContext extends AttackInput {
  tally: Tally;
  /** Aborts when the duration of the attack is over. */
  signal: AbortSignal;
}

/** Counts of the suite during an attack. */
export interface Evidence {
  /** Number of responses by label, from the attacker's tally. */
  responses: Readonly<Record<string, number>>;
  /** Messages that the instance wrote for delivery. */
  mails: number;
  sms: number;
}

/** The definition of an attack. */
export interface Attack {
  /** `area/name`. */
  name: string;
  /** Describes the actions of the attacker. */
  description: string;
  /** Describes the possible damage to an instance. */
  cost: string;
  /** Settings of the instance; `open` by default. */
  profile?: Profile;
  /** Number of victims that the attack needs; 0 by default. */
  victims?: number;
  run(context: AttackContext): Promise<unknown>;
  /** Upper bounds in addition to those of every attack. */
  goals?(evidence: Evidence): Goal[];
}
