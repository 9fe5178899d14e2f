/**
 * Layout of built-in mails: one column, one button, the code in large digits. Styles are inline, because mail clients
 * remove other styles.
 */

/** The content of a mail as plain text. */
export interface MailContent {
  language: string;
  heading: string;
  intro: string;
  action: string | undefined;
  link: string | undefined;
  codeHint: string;
  code: string | undefined;
  /** Small print, one line each. */
  footer: readonly string[];
}

const TEXT = 'margin:0 0 20px;font-size:16px;line-height:24px';
const FONT = "font-family:ui-sans-serif,system-ui,-apple-system,'Segoe UI',sans-serif";
const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:8px;background:#15803d;color:#ffffff;font-weight:600;' +
  'font-size:16px;line-height:24px;text-decoration:none';
const CODE =
  'margin:0 0 20px;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:28px;line-height:36px;' +
  'letter-spacing:6px;font-weight:600';
const SMALL = 'margin:0;font-size:13px;line-height:20px;color:#64748b';

/** Renders HTML. All content is escaped. */
export function mailHtml(content: MailContent): string {
  const { language, heading, intro, action, link, codeHint, code, footer } = content;
  const button =
    link && action
      ? `<p style="margin:0 0 20px"><a href="${escapeHtml(link)}" style="${BUTTON}">${escapeHtml(action)}</a></p>`
      : '';
  const hint = link ? `<p style="${TEXT}">${escapeHtml(codeHint)}</p>` : '';
  const digits = code ? `${hint}<p style="${CODE}">${escapeHtml(code)}</p>` : '';
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(heading)}</title></head>
<body style="margin:0;padding:32px 20px;${FONT}"><div style="max-width:512px;margin:0 auto">
<h1 style="margin:0 0 16px;font-size:22px;line-height:28px">${escapeHtml(heading)}</h1>
<p style="${TEXT}">${escapeHtml(intro)}</p>
${button}${digits}
${footer.map((line) => `<p style="${SMALL}">${escapeHtml(line)}</p>`).join('\n')}
</div></body></html>
`;
}

/** Renders plain text. */
export function mailText({ heading, intro, link, codeHint, code, footer }: MailContent): string {
  const parts = [heading, intro, link, link && code ? codeHint : undefined, code, footer.join('\n')];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
