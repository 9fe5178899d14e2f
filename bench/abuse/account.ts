/** People of an instance under attack. */

/** An account of the attacker. */
export interface Account {
  userId: string;
  email: string;
  accessToken: string;
  refreshToken: string;
}

/** An account of another person with an open one-time code. */
export interface Victim {
  email: string;
  /** The right code, for checking whether an instance still accepts it after wrong guesses. */
  code: string;
}
