/** Types of the page's data. */
import type { MaybePromise } from '../../../lib/maybe-promise.ts';
import type { MetaStatus } from '../../../session/meta-client.server.ts';
import type { MatrixList } from './access/matrix.ts';
import type { TableDetail } from './access/table-detail.ts';
import type { AdvisorsView, FixResult } from './advisors/advisors.server.ts';
import type { ChangeResult } from './edit/results.ts';
import type { Selection } from './selection.ts';
import type { TryData, TryResult } from './try/results.ts';

/** The data of the page. `refusal` is the reason why schemas cannot be changed; null if they can. */
export type PoliciesView =
  | { kind: 'no-database' }
  | { kind: 'unavailable' }
  | { kind: 'matrix'; list: MaybePromise<MatrixList> }
  | { kind: 'gone' }
  | {
      kind: 'table';
      detail: TableDetail;
      refusal: MetaStatus['schema_changes_refusal'];
      trying: TryData | undefined;
    }
  | AdvisorsView;

/** The result of a form that leads to no other page. */
export type PoliciesResult = ChangeResult | FixResult | TryResult;

/** Props of the parts of the page. `result` is that of a form; `notice` names the change that was just made. */
export interface PoliciesProps<View extends PoliciesView = PoliciesView> {
  view: View;
  selection: Selection;
  result: PoliciesResult | undefined;
  notice: string | null;
}
