/** An attack: its description for people, and the code that the attacker's process runs. */
import type { Account, Victim } from '../account.ts';
import type { Profile } from '../instance/settings.ts';
import type { Goal } from '../report/verdict.ts';
import type { Tally } from './tally.ts';

/** The facts that an attack knows, as sent to the attacker's process. */
export interface AttackInput {
  name: string;
  url: string;
  /** Client address of the attacker, one of 127.0.0.0/8. */
  address: string;
  seconds: number;
  anonKey: string;
  accounts: readonly Account[];
  victims: readonly Victim[];
}

/** The input at run time. */
export interface AttackContext extends AttackInput {
  tally: Tally;
  /** Aborts when the time of the attack is over. */
  signal: AbortSignal;
}

/** What the suite counted during an attack. */
export interface Evidence {
  /** Answers by label, from the attacker's tally. */
  answers: Readonly<Record<string, number>>;
  /** Messages that the instance wrote for delivery. */
  mails: number;
  sms: number;
}

/** One attack. */
export interface Attack {
  /** `area/name`. */
  name: string;
  /** What the attacker does. */
  description: string;
  /** What it may cost an instance. */
  cost: string;
  /** Settings of the instance; `open` where absent. */
  profile?: Profile;
  /** How many victims the attack needs; none where absent. */
  victims?: number;
  run(at: AttackContext): Promise<unknown>;
  /** Upper bounds in addition to those of every attack. */
  goals?(evidence: Evidence): Goal[];
}
