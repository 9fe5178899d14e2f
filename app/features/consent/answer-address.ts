/** The address at which an application is answered. It comes from the backend, and is looked at once more all the same. */

/** These run in the page that opens them, or read what is on the machine. */
const DANGEROUS = /^(?:javascript|data|vbscript|file|blob|about|filesystem|view-source):$/;

/** The `redirect_url` of an answer; undefined where there is none that a browser may go to. */
export function answerAddress(answer: unknown): string | undefined {
  const address =
    typeof answer === 'object' && answer !== null && 'redirect_url' in answer
      ? answer.redirect_url
      : undefined;
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return DANGEROUS.test(protocol) ? undefined : href;
}
