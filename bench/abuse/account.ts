/** Accounts of attackers and victims. */

/** An account of the attacker. */
export interface Account {
  userId: string;
  email: string;
  accessToken: string;
  refreshToken: string;
}

/** An account that does not belong to the attacker, with a pending one-time code. */
export interface Victim {
  email: string;
  /** The right code, to check whether an instance still accepts it after wrong guesses. */
  code: string;
}
