/** What the controls of values have in common. */
import type { TableColumn } from '../table-model.ts';

/** Props of the controls of a value. */
export interface ControlProps {
  column: TableColumn;
  text: string;
  onText(text: string): void;
  label: string;
  /** Id of the element with the mistake. */
  describedBy?: string | undefined;
  isFocused?: boolean;
}
