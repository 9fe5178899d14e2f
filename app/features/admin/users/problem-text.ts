/** The reason why a change failed, in the language of the page. */

type Problems = Readonly<Record<string, string>>;

/**
 * Returns the text of an error's code, with its details. Other errors of the auth service keep their English message: it is
 * written for administrators.
 */
export function problemText(error: unknown, problems: Problems): string {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
  const text = Object.hasOwn(problems, code) ? problems[code] : undefined;
  if (text === undefined) return message || (problems.unknown ?? '');
  // Errors of the auth service have a status, and repeat their code in the message.
  const hasDetail = message !== '' && !(error instanceof Error && 'status' in error);
  return hasDetail ? `${text} (${message})` : text;
}
