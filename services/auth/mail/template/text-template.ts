/** Plain-text templates for subjects and SMS. Nothing is escaped. */
import { renderTemplate } from './evaluate.ts';
import type { CompiledTemplate } from './html-template.ts';
import { parseTemplate } from './parser.ts';
import { textOf } from './values.ts';

/** Compiles a template. Throws {@link TemplateError}. */
export function compileText(source: string): CompiledTemplate {
  const nodes = parseTemplate(source);
  return (root) => renderTemplate(nodes, root, (_output, value) => textOf(value));
}
