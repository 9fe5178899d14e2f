/** Sentences for users about writes that the database refuses. */

/** Error of the data API. */
interface DataError {
  code: string;
  message: string;
}

/** Code of rules that the migrations raise, with a sentence for the user. */
const RULE = 'P0001';

/** Sentences by the constraints of the migrations, which the message names. */
const CONSTRAINTS: Readonly<Record<string, string>> = {
  teams_name_check: 'A name has 1 to 60 characters and no links.',
  teams_slug_check: 'An address has 2 to 40 characters: lower case letters, digits and single dashes.',
  teams_slug_key: 'Another team has this address. Choose another one.',
  projects_name_check: 'A name has 1 to 80 characters.',
  projects_description_check: 'A description has at most 2000 characters.',
  invitations_email_check: 'Enter one email address, for example ada@example.org.',
};

/** Sentences by SQLSTATE. */
const CODES: Readonly<Record<string, string>> = {
  '22023': 'Enter one email address, for example ada@example.org.',
  '42501': 'Your role does not allow this.',
};

/** Returns the sentence; undefined without an error. Throws errors that are not caused by the input. */
export function problemOf(error: DataError | null): string | undefined {
  if (error === null) return undefined;
  if (error.code === RULE) return error.message;
  const constraint = Object.keys(CONSTRAINTS).find((name) => error.message.includes(`"${name}"`));
  const sentence = constraint === undefined ? CODES[error.code] : CONSTRAINTS[constraint];
  if (sentence === undefined) throw error;
  return sentence;
}

/** Row-level security skips rows that the user may not change. Returns a sentence if it skipped all of them. */
export function skippedProblem(rows: readonly unknown[] | null): string | undefined {
  return rows?.length === 0 ? CODES['42501'] : undefined;
}
