/** The answer that tells rows which were read, from a relation or from what a function returned. */
import { discardBody, type Outcome } from '../execute/outcome.ts';
import type { Header } from '../headers.ts';
import type { Negotiated } from '../request/accept.ts';
import { contentTypeOf } from '../request/media-type.ts';
import type { Action } from '../request/method.ts';
import { type Preferences, preferenceApplied } from '../request/preferences.ts';
import { profileHeaders } from '../request/profile.ts';
import { type Answer, withFunctionsWishes } from '../respond/answer.ts';
import { readExtent } from '../respond/content-range.ts';
import { requireSingleRow } from '../respond/status.ts';
import type { ActionContext } from './context.ts';

/** What is to be told. */
interface ToldRows {
  outcome: Outcome;
  negotiated: Negotiated;
  isHead: boolean;
  /** Besides those that follow from the rows. */
  headers: readonly Header[];
  /** A function that returns nothing was called. */
  isVoid?: boolean;
}

/**
 * The answer.
 * @throws PGRST116, PGRST103, PGRST111, PGRST112
 */
export function rowsAnswer(context: ActionContext, told: ToldRows): Answer {
  try {
    return tellRows(context, told);
  } catch (error) {
    discardBody(told.outcome);
    throw error;
  }
}

function tellRows(context: ActionContext, told: ToldRows): Answer {
  const { outcome, negotiated, isHead, headers, isVoid = false } = told;
  const { range, preferences, snapshot } = context;
  if (negotiated.handler.kind === 'object') requireSingleRow(outcome.pageCount);
  const total = totalOf(outcome, preferences.count, snapshot.config.maxRows);
  const { status, contentRange } = readExtent(range, outcome.pageCount, total);
  const ofRows: Header[] = [['content-range', contentRange], ...headers];
  const answer: Answer = isVoid
    ? { status: 204, headers: ofRows, body: undefined }
    : {
        status,
        headers: [...ofRows, ...contentHeaders(context, negotiated)],
        body: isHead ? undefined : (outcome.body ?? ''),
      };
  return withFunctionsWishes(answer, outcome);
}

/** What a body is, and of which schema. */
export function contentHeaders(
  { profile }: Pick<ActionContext, 'profile'>,
  { mediaType }: Negotiated,
): Header[] {
  return [['content-type', contentTypeOf(mediaType)], ...profileHeaders(profile)];
}

/** Header Preference-Applied; empty where nothing was preferred that applies. */
export function appliedHeaders(preferences: Preferences, action: Action, hasArbiter = false): Header[] {
  const applied = preferenceApplied(preferences, action, { hasArbiter });
  return applied === undefined ? [] : [['preference-applied', applied]];
}

/** Of an estimate, what was counted as long as it is not more than the cap lets through; without one, whatever is more. */
function totalOf(
  { totalCount, estimatedCount }: Outcome,
  count: Preferences['count'],
  maxRows: number | undefined,
): number | undefined {
  if (count === 'planned') return estimatedCount;
  if (totalCount === undefined || estimatedCount === undefined) return totalCount;
  return maxRows === undefined || totalCount > maxRows ? Math.max(totalCount, estimatedCount) : totalCount;
}
