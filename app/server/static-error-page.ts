/** Plain HTML without React, for cases in which the error page cannot be rendered or would cost too much. */

const TITLES: Record<number, string> = { 404: 'Page Not Found', 429: 'Too Many Requests' };
const HINTS: Record<number, string> = {
  429: 'You sent too many requests. Wait a moment and try again.',
};

/** Returns the page for an HTTP status of 400 or more. It does not contain the cause, which is in the log. */
export function staticErrorPage(
  status: number,
  { requestId, site }: { requestId: string; site: string },
): string {
  const title = TITLES[status] ?? 'Internal Server Error';
  const hint = HINTS[status] ?? 'Something went wrong on our side.';
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${status} - ${title} | ${escapeHtml(site)}</title></head>
<body><main><p>${status}</p><h1>${title}</h1>
<p>${hint} Request ID: ${escapeHtml(requestId)}</p><p><a href="">Try again</a></p></main></body>
</html>
`;
}

/** Returns a text for elements and attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
