/**
 * Checks the subjects of new commits: `type(scope): imperative`, at most 72 characters, and no merge commits. History before
 * {@link SINCE} stays as it is.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
/** The last commit that is not checked. */
const SINCE = 'b40c25e82e33eee95a98ae551063bf03d886fe9d';
const MAX_CHARACTERS = 72;
const FORM =
  /^(?:build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(?:\([a-z0-9-]+\))?!?: [a-z]\S*(?: \S+)+$/;
/** Verbs in another form than the imperative. */
const NOT_IMPERATIVE = /: (?:\w+(?:ed|ing)|adds|fixes|makes|removes|renames|moves|uses)\b/;
/** Imperatives that end like other forms. */
const IMPERATIVES = /: (?:bring|embed|exceed|feed|need|proceed|seed|shed|speed|string|bind)\b/;

/** Returns the problems of a subject, e.g. `has 80 characters`; none if it has the form. */
export function problemsOfSubject(subject: string): string[] {
  const length = [...subject].length;
  const isOther = NOT_IMPERATIVE.test(subject) && !IMPERATIVES.test(subject);
  return [
    ...(length > MAX_CHARACTERS ? [`has ${length} characters`] : []),
    ...(FORM.test(subject) ? [] : ['is not of the form `type(scope): imperative`']),
    ...(isOther ? ['does not begin with an imperative'] : []),
  ];
}

/** Lists problems of commits that are newer than {@link SINCE}. Without the repository's history there is nothing to check. */
function problemsOfHistory(): string[] {
  const history = log();
  return history.flatMap(({ id, parents, subject }) => {
    const problems = parents > 1 ? ['is a merge'] : problemsOfSubject(subject);
    return problems.map((problem) => `${id} ${problem}: ${subject}`);
  });
}

function log(): { id: string; parents: number; subject: string }[] {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' });
  try {
    git('merge-base', '--is-ancestor', SINCE, 'HEAD');
  } catch {
    return [];
  }
  const lines = git('log', '--format=%h%x09%p%x09%s', `${SINCE}..HEAD`).split('\n');
  return lines.flatMap((line) => {
    const [id, parents, subject] = line.split('\t');
    if (id === undefined || parents === undefined || subject === undefined) return [];
    return [{ id, parents: parents.split(' ').length, subject }];
  });
}

if (import.meta.main) {
  const problems = problemsOfHistory();
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
