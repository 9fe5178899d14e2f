/** Detects input that a reload would lose. */

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Compares every control of the document with its default value. */
export function hasUnsavedInput(document: Document): boolean {
  const controls = document.querySelectorAll<Control>('input, textarea, select');
  const isEditing = document.activeElement instanceof HTMLElement && document.activeElement.isContentEditable;
  return isEditing || [...controls].some(isChanged);
}

function isChanged(control: Control): boolean {
  if (control instanceof HTMLSelectElement) {
    return [...control.options].some((option) => option.selected !== option.defaultSelected);
  }
  if (control instanceof HTMLInputElement) {
    if (control.type === 'hidden' || control.readOnly) return false;
    if (control.type === 'file') return (control.files?.length ?? 0) > 0;
    // Radio buttons and checkboxes take effect at once, so a reload loses nothing.
    if (control.type === 'radio' || control.type === 'checkbox') return false;
  }
  return control.value !== control.defaultValue;
}
