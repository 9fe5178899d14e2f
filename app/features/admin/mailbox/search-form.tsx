/** Looks for messages. A plain form, so that what is found has an address. */
import { Form } from 'react-router';
import { mailboxTexts } from '../../../texts/mailbox.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Select } from '../../../ui/select.tsx';
import { CHANNELS, MAILBOX, type Selection } from './selection.ts';

/** A new search begins at the first page, with nothing open. */
export function SearchForm({ selection: { q, channel } }: { selection: Selection }) {
  const { search, channels, anyChannel } = useTexts(mailboxTexts);
  return (
    <Form
      // What the address says is what the fields show, also after going back.
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
