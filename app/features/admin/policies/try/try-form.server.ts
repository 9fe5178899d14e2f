/** The form of “Try as” on the server: the search for people, and the statement that it sends. */
import type { MetaClient } from '../../../../session/meta-client.server.ts';
import { findPeople, loadPerson } from '../access/catalog.server.ts';
import { type PersonRow, VERBS } from '../access/model.ts';
import { type FormWork, textField } from '../form-work.ts';
import type { Selection } from '../selection.ts';

import { anonymousCaller, type Caller, callerOf, parseClaims } from './claims.ts';
import type { TryData, TryResult } from './results.ts';
import { StatementError } from './statement.ts';
import { tryAs, UnknownTargetError } from './try-as.server.ts';

/** Loads the people that the search finds, and the claims of the selected one. */
export async function loadTryData(meta: MetaClient, selection: Selection): Promise<TryData> {
  const [people, person] = await Promise.all([
    selection.as === 'person' ? findPeople(meta, selection.who) : [],
    selection.as === 'person' ? loadPerson(meta, selection.user) : undefined,
  ]);
  const caller = selection.as === 'anon' ? anonymousCaller() : person && callerOf(person, selection.aal);
  return { people: people.map(foundOf), claims: caller && JSON.stringify(caller.claims, null, 2) };
}

function foundOf({ id, email, phone, is_anonymous: isAnonymous }: PersonRow) {
  return { id, email: email ?? '', phone: phone ?? '', isAnonymous };
}

/** Tries the statement of the form. */
export async function runTrial({ admin: { meta }, selection, form }: FormWork): Promise<TryResult> {
  const caller = await selectedCaller(meta, selection, textField(form, 'claims'));
  if (typeof caller === 'string') return { kind: 'not-tried', problem: caller };
  try {
    const result = await tryAs(meta, {
      caller,
      table: { schema: selection.schema, name: selection.table },
      verb: VERBS.find((verb) => verb === textField(form, 'verb')) ?? 'select',
      condition: textField(form, 'condition'),
      values: textField(form, 'values'),
      returnsRows: form.has('returning'),
      sql: textField(form, 'sql'),
    });
    return { kind: 'tried', result };
  } catch (error) {
    if (error instanceof StatementError)
      return {
        kind: 'not-tried',
        problem: error.reason,
        ...(error.reason === 'unreadable' && { message: error.message }),
      };
    if (error instanceof UnknownTargetError) return { kind: 'not-tried', problem: error.target };
    throw error;
  }
}

async function selectedCaller(
  meta: MetaClient,
  { as, user, aal }: Selection,
  claims: string,
): Promise<Caller | 'claims' | 'person'> {
  if (as === 'anon') return anonymousCaller();
  if (as === 'claims') return parseClaims(claims) ?? 'claims';
  const person = await loadPerson(meta, user);
  return person ? callerOf(person, aal) : 'person';
}
