/** The document of a preview: the subject above the mail, the text of an SMS, or the mistake of a draft. */
import { mailDocument } from '../mail-document.ts';

/** A rendered draft. */
export interface RenderedDraft {
  subject: string;
  text: string;
  html: string | null;
}

const BAR =
  'margin:0;padding:8px 12px;border-bottom:1px solid #cbd5e1;background:#f1f5f9;color:#0f172a;' +
  'font:600 13px/20px ui-sans-serif,system-ui,sans-serif';
const TEXT = 'margin:0;padding:16px;white-space:pre-wrap;font:15px/22px ui-sans-serif,system-ui,sans-serif';

/** Returns the document of a rendered draft. */
export function draftDocument({ subject, text, html }: RenderedDraft): string {
  if (html === null) return mailDocument(`<pre style="${TEXT}">${escaped(text)}</pre>`);
  const bar = `<p style="${BAR}">${escaped(subject)}</p>`;
  return mailDocument(withStart(html, bar));
}

/** Returns the document of a draft that cannot be rendered. */
export function mistakeDocument(message: string): string {
  return mailDocument(`<p role="alert" style="${TEXT};color:#b91c1c">${escaped(message)}</p>`);
}

/** Inserts an element at the start of the body, whose padding does not apply to it. */
function withStart(html: string, element: string): string {
  const body = /<body(?:\s[^>]*)?>/i.exec(html);
  if (!body) return element + html;
  const at = body.index;
  return `${html.slice(0, at)}${element}${html.slice(at)}`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
