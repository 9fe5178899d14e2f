/** Marks the place of an error in the editor. An edit of the marked text removes the mark. */
import { StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';

/** Sets the mark, or removes it. */
export const setErrorMark = StateEffect.define<{ offset: number; message: string } | null>();

const WORD = /^(?:"[^"]*"|'[^']*'|[\w$.\u0080-\uFFFF]+|\S)/;

/** The mark, as an extension. */
export const errorMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setErrorMark)) continue;
      if (effect.value === null) return Decoration.none;
      const { offset, message } = effect.value;
      const { doc } = transaction.state;
      const from = Math.max(0, Math.min(offset, doc.length - 1));
      const length = WORD.exec(doc.sliceString(from, from + 200))?.[0].length ?? 1;
      if (doc.length === 0) return Decoration.none;
      const mark = Decoration.mark({
        class: 'cm-sql-error',
        attributes: { title: message, 'aria-invalid': 'true' },
      });
      return Decoration.set([mark.range(from, Math.min(doc.length, from + length))]);
    }
    if (!transaction.docChanged) return marks;
    let isTouched = false;
    marks.between(0, transaction.startState.doc.length, (from, to) => {
      if (transaction.changes.touchesRange(from, to) !== false) isTouched = true;
    });
    return isTouched ? Decoration.none : marks.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});
