/** Whether somebody has begun to fill something in that a reload would lose. */

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Compares every control of the document with what the page had put there. */
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
    // Radios and boxes that a page drives take effect at once: there is nothing to lose.
    if (control.type === 'radio' || control.type === 'checkbox') return false;
  }
  return control.value !== control.defaultValue;
}
