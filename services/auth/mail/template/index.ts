/** Templates in the syntax of Go, as GoTrue's mails have them. Pure: knows nothing of mails, files or networks. */
export { type CompiledTemplate, compileHtml } from './html-template.ts';
export { TemplateError } from './template-error.ts';
export { compileText } from './text-template.ts';
export { OwnUrl } from './values.ts';
