/**
 * Templates in Go's syntax, like those of GoTrue's mails. This folder is pure: it does not depend on mails, files or
 * the network.
 */
export { type CompiledTemplate, compileHtml } from './html-template.ts';
export { TemplateError } from './template-error.ts';
export { compileText } from './text-template.ts';
export { TrustedUrl } from './values.ts';
