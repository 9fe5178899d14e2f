/** The search for users and the filters. It is a plain form, so that the results have a URL. */
import { Form } from 'react-router';
import { adminUsersTexts } from '../../../texts/admin-users.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Select } from '../../../ui/select.tsx';
import { isFiltered, type ListQuery, SORTS, STATES, USERS } from './list-query.ts';

/** A new search starts at the first page. */
export function UserSearch({ query }: { query: ListQuery }) {
  const texts = useTexts(adminUsersTexts);
  const { search } = texts;
  const { q, role, state, provider, factor, since, sort } = query;
  return (
    <Form
      // The key makes the fields show the URL's values, also after navigating back.
      key={JSON.stringify([q, role, state, provider, factor, since, sort])}
      method="get"
      action={USERS}
      role="search"
      className="grid gap-3"
    >
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-3">
        <Field
          label={search.label}
          name="q"
          type="search"
          defaultValue={q}
          placeholder={search.placeholder}
          maxLength={255}
          autoComplete="off"
        />
        <Button type="submit" size="large">
          {search.submit}
        </Button>
      </div>
      <div className="grid grid-cols-2 items-end gap-3 md:grid-cols-3 xl:grid-cols-6">
        <Select label={search.state} name="state" defaultValue={state}>
          <option value="">{search.any}</option>
          {STATES.map((name) => (
            <option key={name} value={name}>
              {texts.states[name]}
            </option>
          ))}
        </Select>
        <Field
          label={search.role}
          name="role"
          defaultValue={role}
          placeholder={search.anyRole}
          maxLength={100}
        />
        <Field
          label={search.provider}
          name="provider"
          defaultValue={provider}
          placeholder="email"
          maxLength={100}
        />
        <Select label={search.factor} name="factor" defaultValue={factor}>
          <option value="">{search.any}</option>
          <option value="yes">{search.factorYes}</option>
          <option value="no">{search.factorNo}</option>
        </Select>
        <Field label={search.since} name="since" type="date" defaultValue={since} />
        <Select label={search.sort} name="sort" defaultValue={sort}>
          {SORTS.map((name) => (
            <option key={name} value={name}>
              {texts.sorts[SORT_TEXTS[name]]}
            </option>
          ))}
        </Select>
      </div>
      {isFiltered(query) && (
        <ButtonLink to={USERS} size="small" variant="ghost" className="justify-self-start">
          {search.reset}
        </ButtonLink>
      )}
    </Form>
  );
}

const SORT_TEXTS = { '': 'newest', oldest: 'oldest', email: 'email', 'email-desc': 'emailDesc' } as const;
