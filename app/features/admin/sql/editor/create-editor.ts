/**
 * The editor of SQL. It lives in a shadow root: there its styles are adopted style sheets, because the content security policy
 * allows no others.
 */
import {
  acceptCompletion,
  autocompletion,
  type Completion,
  closeBrackets,
  closeBracketsKeymap,
  completeFromList,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { PostgreSQL, type SQLNamespace, sql } from '@codemirror/lang-sql';
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension, Prec } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import { errorMarks, setErrorMark } from './error-mark.ts';
import type { DatabaseSchema } from './schema.ts';
import { functionCompletions, schemaNamespace } from './schema-completions.ts';
import { EDITOR_THEME, HIGHLIGHTING } from './theme.ts';

/** Options of {@link createEditor}. */
export interface EditorOptions {
  /** An element whose shadow root receives the editor. */
  host: HTMLElement;
  text: string;
  selection: { anchor: number; head: number };
  label: string;
  placeholder: string;
  /** Id of an element that explains the keys; it must be in the shadow root, so its text is given. */
  description: string;
  onChange(text: string): void;
  onSelect(hasSelection: boolean): void;
  /** Runs the selection or the statement at the cursor. */
  onRun(): void;
  onRunAll(): void;
  /** Returns whether there was something to cancel. */
  onEscape(): boolean;
}

/** A document of the editor, with its own undo history. */
export interface EditorDocument {
  readonly state: unknown;
}

/** The editor. */
export interface Editor {
  text(): string;
  /** Offsets of the selection; equal without one. */
  selection(): { from: number; to: number };
  /** Replaces the text; undo brings the previous one back. */
  replace(text: string): void;
  /** Returns the current document. */
  save(): EditorDocument;
  /** Shows another document. */
  open(document: EditorDocument | string): void;
  /** Marks the place of an error, or removes the mark. */
  markError(mark: { offset: number; message: string } | null): void;
  goTo(offset: number): void;
  setSchema(schema: DatabaseSchema): void;
  focus(): void;
  destroy(): void;
}

/** Creates an editor. */
export function createEditor(options: EditorOptions): Editor {
  const root = options.host.shadowRoot ?? options.host.attachShadow({ mode: 'open' });
  const language = new Compartment();
  let languageNow: Extension = sql({ dialect: PostgreSQL });
  let isOpening = false;
  const newState = (text: string, selection = { anchor: 0, head: 0 }) =>
    EditorState.create({
      doc: text,
      selection: {
        anchor: Math.min(selection.anchor, text.length),
        head: Math.min(selection.head, text.length),
      },
      extensions: [
        commandKeys(options),
        baseExtensions(options),
        language.of(languageNow),
        EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
          if (isOpening) return;
          if (docChanged) options.onChange(state.doc.toString());
          if (docChanged || selectionSet) options.onSelect(!state.selection.main.empty);
        }),
      ],
    });
  const view = new EditorView({ root, parent: root, state: newState(options.text, options.selection) });
  const apply = (state: EditorState) => {
    isOpening = true;
    view.setState(state);
    view.dispatch({ effects: language.reconfigure(languageNow) });
    isOpening = false;
    options.onSelect(!state.selection.main.empty);
  };
  return {
    text: () => view.state.doc.toString(),
    selection: () => view.state.selection.main,
    replace(text) {
      if (text !== view.state.doc.toString())
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    save: () => ({ state: view.state }),
    open: (document) =>
      apply(typeof document === 'string' ? newState(document) : (document.state as EditorState)),
    markError: (mark) => view.dispatch({ effects: setErrorMark.of(mark) }),
    goTo(offset) {
      const anchor = Math.min(offset, view.state.doc.length);
      view.dispatch({ selection: { anchor }, scrollIntoView: true });
      view.focus();
    },
    setSchema(schema) {
      languageNow = languageOf(schema);
      view.dispatch({ effects: language.reconfigure(languageNow) });
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

function languageOf(schema: DatabaseSchema): Extension {
  const namespace: SQLNamespace = schemaNamespace(schema);
  const functions: Completion[] = functionCompletions(schema);
  return [
    sql({ dialect: PostgreSQL, schema: namespace, defaultSchema: 'public' }),
    PostgreSQL.language.data.of({ autocomplete: completeFromList(functions) }),
  ];
}

/** Before all other keys. */
function commandKeys({ onRun, onRunAll, onEscape }: EditorOptions): Extension {
  const run = (command: () => void) => () => {
    command();
    return true;
  };
  return [
    Prec.highest(
      keymap.of([
        { key: 'Mod-Enter', run: run(onRun), preventDefault: true },
        { key: 'Mod-Shift-Enter', run: run(onRunAll), preventDefault: true },
      ]),
    ),
    // After the keys that close lists and panels.
    Prec.lowest(keymap.of([{ key: 'Escape', run: onEscape }])),
  ];
}

function baseExtensions({ label, description, placeholder: text }: EditorOptions): Extension {
  return [
    lineNumbers(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    indentUnit.of('  '),
    bracketMatching(),
    closeBrackets(),
    autocompletion({ icons: false }),
    search({ top: true }),
    highlightSelectionMatches(),
    errorMarks,
    placeholder(text),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-description': description,
      spellcheck: 'false',
      autocorrect: 'off',
      autocapitalize: 'off',
    }),
    syntaxHighlighting(HIGHLIGHTING),
    EDITOR_THEME,
    // Tab leaves the editor unless it accepts a completion, so that the page is usable by keyboard only.
    keymap.of([
      { key: 'Tab', run: acceptCompletion },
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...completionKeymap,
    ]),
  ];
}
