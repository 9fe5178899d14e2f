/** Colours of the editor: the tokens of the design, which a shadow root inherits. */
import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Styles of the editor, its lists and its search panel. */
export const EDITOR_THEME = EditorView.theme(
  {
    '&': {
      height: '100%',
      color: 'var(--ink)',
      backgroundColor: 'var(--surface)',
      fontSize: '0.8125rem',
    },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': {
      fontFamily: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
      lineHeight: '1.5rem',
    },
    '.cm-content': { padding: '8px 0', caretColor: 'var(--ink)' },
    '.cm-cursor': { borderLeftColor: 'var(--ink)' },
    '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--ink-muted)', border: 'none' },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
    '.cm-placeholder': { color: 'var(--ink-muted)' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'var(--info-wash)',
    },
    '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
      backgroundColor: 'transparent',
      outline: '1px solid var(--line-strong)',
    },
    '.cm-selectionMatch, .cm-searchMatch': { backgroundColor: 'var(--warning-wash)' },
    '.cm-sql-error': {
      backgroundColor: 'var(--danger-wash)',
      textDecoration: 'underline wavy var(--danger-ink)',
      textUnderlineOffset: '3px',
    },
    '.cm-tooltip': {
      border: '1px solid var(--line)',
      borderRadius: '0.5rem',
      backgroundColor: 'var(--raised)',
      color: 'var(--ink)',
      boxShadow: 'var(--shadow-2)',
      overflow: 'hidden',
    },
    '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'inherit', maxHeight: '14rem' },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px' },
    '.cm-tooltip-autocomplete ul li[aria-selected]': {
      backgroundColor: 'var(--solid)',
      color: 'var(--on-solid)',
    },
    '.cm-completionDetail': { color: 'var(--ink-muted)', fontStyle: 'normal', marginLeft: '0.75em' },
    'li[aria-selected] .cm-completionDetail': { color: 'inherit' },
    '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
    '.cm-tooltip.cm-completionInfo': { padding: '6px 10px', maxWidth: '20rem' },
    '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--ink)' },
    '.cm-panels-top': { borderBottom: '1px solid var(--line)' },
    '.cm-textfield': {
      backgroundColor: 'var(--surface)',
      border: '1px solid var(--line-strong)',
      color: 'var(--ink)',
    },
    '.cm-button': {
      backgroundImage: 'none',
      backgroundColor: 'var(--surface)',
      border: '1px solid var(--line-strong)',
      borderRadius: '0.375rem',
      color: 'var(--ink)',
    },
  },
  { dark: true },
);

/** Colours of the syntax. */
export const HIGHLIGHTING = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: 'var(--info-ink)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--primary-ink)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warning-ink)' },
  { tag: [tags.lineComment, tags.blockComment], color: 'var(--ink-muted)', fontStyle: 'italic' },
  { tag: [tags.typeName, tags.standard(tags.name)], color: 'var(--info-ink)' },
  { tag: tags.special(tags.name), color: 'var(--ink)' },
]);
