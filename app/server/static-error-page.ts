/** The page of last resort: plain HTML without React, for when the error page itself cannot be rendered. */

/** Text of the page for an HTTP status of 400 or more. It says nothing about the cause, which is in the log. */
export function staticErrorPage(status: number, requestId: string): string {
  const title = status === 404 ? 'Page Not Found' : 'Internal Server Error';
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${status} - ${title} | Greenroom</title></head>
<body><main><p>${status}</p><h1>${title}</h1>
<p>Something went wrong on our side. Request id: ${escapeHtml(requestId)}</p><p><a href="/">Go back home</a></p></main></body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
