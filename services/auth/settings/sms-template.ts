/** Texts of SMS in config.toml. */
import { type ConfigValue, scalarText } from '@greenroom/config';

/** A Go template that returns a template: {{ `{{ .Code }}` }}. */
const QUOTED_TEMPLATE = /\{\{\s*`(\{\{[^`]*\}\})`\s*\}\}/g;

/**
 * Returns the text with each quoted template replaced by the template itself. `supabase init` wrote the default text with
 * a quoted one in some versions; an SMS would contain `{{ .Code }}` instead of the code.
 */
export function smsTemplateText(value: ConfigValue): string {
  return scalarText(value).replaceAll(QUOTED_TEMPLATE, '$1');
}
