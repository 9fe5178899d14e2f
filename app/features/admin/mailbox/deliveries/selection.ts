/** The selection of deliveries in the URL. */
import { parsePageNumber } from '../../shared/page-number.ts';
import { viewPath } from '../view-names.ts';

/** States that a filter shows. */
export const FILTERS = {
  open: ['queued', 'failed'],
  queued: ['queued'],
  failed: ['failed'],
  sent: ['sent'],
} as const;

export type FilterName = keyof typeof FILTERS;

export interface DeliverySelection {
  filter: FilterName;
  page: number;
}

/** Parses a URL; undefined for an invalid page number. */
export function readDeliverySelection(search: URLSearchParams): DeliverySelection | undefined {
  const page = parsePageNumber(search.get('page'));
  const name = search.get('status') ?? '';
  const filter = Object.hasOwn(FILTERS, name) ? (name as FilterName) : 'open';
  return page === undefined ? undefined : { filter, page };
}

/** Returns the URL of a selection. */
export function deliveriesPath(
  { filter = 'open', page = 1 }: Partial<DeliverySelection>,
  more: Record<string, string> = {},
): string {
  return viewPath('deliveries', {
    status: filter === 'open' ? '' : filter,
    page: page === 1 ? '' : String(page),
    ...more,
  });
}
