/** The search for messages. It is a plain form, so that the results have a URL. */
import { Form } from 'react-router';
import { mailboxTexts } from '../../../texts/mailbox.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Select } from '../../../ui/select.tsx';
import { CHANNELS, MAILBOX, type Selection } from './selection.ts';

/** A new search starts at the first page, without an open message. */
export function SearchForm({ selection: { q, channel } }: { selection: Selection }) {
  const { search, channels, anyChannel } = useTexts(mailboxTexts);
  return (
    <Form
      // The key makes the fields show the URL's values, also after navigating back.
      key={`${channel} ${q}`}
      method="get"
      action={MAILBOX}
      role="search"
      className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-3"
    >
      <Field
        label={search.q}
        name="q"
        type="search"
        defaultValue={q}
        placeholder={search.placeholder}
        maxLength={255}
        autoComplete="off"
      />
      <Select label={search.channel} name="channel" defaultValue={channel}>
        <option value="">{anyChannel}</option>
        {CHANNELS.map((name) => (
          <option key={name} value={name}>
            {channels[name]}
          </option>
        ))}
      </Select>
      <Button type="submit" className="col-span-2">
        {search.submit}
      </Button>
    </Form>
  );
}
