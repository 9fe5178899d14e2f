/** Converts the backend's templates for the mailbox. */
export const TEMPLATE_GROUPS = ['flow', 'notification', 'sms'] as const;
type TemplateGroup = (typeof TEMPLATE_GROUPS)[number];

/** Subject and text of a mail. */
export interface MailText {
  subject: string;
  html: string;
}

/** A template as the backend describes it. */
export interface Template {
  kind: string;
  channel: 'mail' | 'sms';
  /** Null: the built-in subject. */
  subject?: string | null;
  /** Null: the built-in text, or one that cannot be read. */
  body: string | null;
  /** Path or URL of the configured template. */
  location?: string | null;
  variables: readonly string[];
  is_enabled?: boolean;
  built_in?: Readonly<Record<'en' | 'de', MailText>>;
}

/** A row of the list. */
export interface TemplateRow {
  kind: string;
  group: TemplateGroup;
  isChanged: boolean;
  isOff: boolean;
}

/** Text of SMS that the service has without a setting. */
const DEFAULT_SMS = /^Your code is \{\{ ?\.Code ?\}\}$/;

/** Returns the rows of the list. */
export function toTemplateRows(templates: readonly Template[]): TemplateRow[] {
  return templates.map((template) => ({
    kind: template.kind,
    group: groupOf(template),
    isChanged: isChanged(template),
    isOff: template.is_enabled === false,
  }));
}

/** Returns the template that is open: that of the URL, or the first. */
export function openTemplate(templates: readonly Template[], kind: string | null): Template | undefined {
  return templates.find((template) => template.kind === kind) ?? templates[0];
}

function groupOf({ kind, channel }: Template): TemplateGroup {
  if (channel === 'sms') return 'sms';
  return kind.endsWith('_notification') ? 'notification' : 'flow';
}

function isChanged({ channel, subject, body, location }: Template): boolean {
  if (channel === 'sms') return body !== null && !DEFAULT_SMS.test(body);
  return (subject ?? null) !== null || (location ?? null) !== null;
}
