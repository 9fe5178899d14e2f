/** The selection of the page in the URL: filters, the table and its part, and the caller that a statement is tried as. */
import type { Assurance } from './access/model.ts';

/** Path of the page. */
export const POLICIES = '/admin/policies';

/** The part of the page. */
const VIEWS = ['matrix', 'advisors'] as const;
/** The part of a table. */
const TABS = ['access', 'try'] as const;
/** Tables that the filter shows. */
const SHOWN = ['all', 'open', 'no-rls', 'no-policy'] as const;
/** The caller of a statement. */
const CALLERS = ['anon', 'person', 'claims'] as const;

/** Tables that the filter shows. */
type Shown = (typeof SHOWN)[number];

/** The selection. '' means not selected. */
export interface Selection {
  view: (typeof VIEWS)[number];
  /** Part of the name of tables. */
  q: string;
  /** Schema of the list; '' means those of the project, `*` all. */
  in: string;
  show: Shown;
  schema: string;
  table: string;
  tab: (typeof TABS)[number];
  /** Name of the policy to edit. */
  edit: string;
  /** Id of the template of a new policy; `blank` for none. */
  new: string;
  /** Name of the policy to drop. */
  drop: string;
  /** The switch of row-level security to confirm. */
  rls: string;
  as: (typeof CALLERS)[number];
  /** Email address or id of the person to search. */
  who: string;
  /** Id of the person. */
  user: string;
  aal: Assurance;
  /** Key of the finding to correct. */
  fix: string;
}

const DEFAULTS: Selection = {
  ...{ view: 'matrix', q: '', in: '', show: 'all', schema: '', table: '', tab: 'access' },
  ...{ edit: '', new: '', drop: '', rls: '', as: 'anon', who: '', user: '', aal: 'aal1', fix: '' },
};

/** Longer than any name of PostgreSQL, and any key of a finding. */
const MAX_LENGTH = 500;

/** Parses a URL. Invalid values are ignored. */
export function readSelection(search: URLSearchParams): Selection {
  const text = (name: string) => (search.get(name) ?? '').replaceAll('\0', '').slice(0, MAX_LENGTH);
  const one = <Value extends string>(name: string, values: readonly Value[]): Value =>
    values.find((value) => value === search.get(name)) ?? (values[0] as Value);
  return {
    ...{ q: text('q').trim(), in: text('in'), schema: text('schema'), table: text('table') },
    ...{ edit: text('edit'), new: text('new'), drop: text('drop'), rls: text('rls') },
    ...{ who: text('who').trim(), user: text('user'), fix: text('fix') },
    view: one('view', VIEWS),
    show: one('show', SHOWN),
    tab: one('tab', TABS),
    as: one('as', CALLERS),
    aal: one('aal', ['aal1', 'aal2']),
  };
}

/** Returns the URL of a selection, without default values. */
export function policiesPath(selection: Partial<Selection> = {}, more: Record<string, string> = {}): string {
  const chosen = Object.entries({ ...DEFAULTS, ...selection }).filter(
    ([name, value]) => value !== DEFAULTS[name as keyof Selection],
  );
  const search = new URLSearchParams([...chosen, ...Object.entries(more)]);
  return search.size === 0 ? POLICIES : `${POLICIES}?${search}`;
}

/** Returns the part of a selection that names the table. */
export function tableOf({ schema, table }: Selection): Partial<Selection> {
  return { schema, table };
}

/** Returns the path of a table, for pages that link to its policies. */
export function tablePoliciesPath({ schema, name }: { schema: string; name: string }): string {
  return policiesPath({ schema, table: name });
}
