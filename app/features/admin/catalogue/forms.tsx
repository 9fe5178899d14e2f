/** Form controls. */
import { useState } from 'react';
import { catalogueTexts } from '../../../texts/catalogue.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Field } from '../../../ui/field.tsx';
import { SegmentedRadios } from '../../../ui/segmented-control.tsx';
import { Select } from '../../../ui/select.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { PasswordField } from '../../login/password-field.tsx';
import { Entry } from './entry.tsx';

const COLUMNS = 'grid w-full gap-5 sm:grid-cols-2';

/** The entries of this group. */
export function FormEntries() {
  const { descriptions, samples } = useTexts(catalogueTexts);
  return (
    <>
      <Entry name="Field" description={descriptions.field}>
        <div className={COLUMNS}>
          <Field label={samples.name} hint={samples.nameHint} autoComplete="off" />
          <Field label={samples.name} error={samples.nameError} autoComplete="off" />
          <Field label={samples.email} type="email" defaultValue={samples.person} autoComplete="off" />
          <Field label={samples.disabled} defaultValue={samples.person} disabled />
        </div>
      </Entry>
      <Entry name="PasswordField" description={descriptions.password}>
        <div className={COLUMNS}>
          <PasswordField isNew error={undefined} />
          <PasswordField
            isNew
            error={samples.passwordError}
            rules={[{ text: samples.passwordRule, oneOf: '0123456789' }]}
          />
        </div>
      </Entry>
      <Entry name="TextArea" description={descriptions.textArea}>
        <div className={COLUMNS}>
          <TextArea label={samples.notes} />
          <TextArea label={samples.notes} error={samples.nameError} />
        </div>
      </Entry>
      <Entry name="Select" description={descriptions.select}>
        <div className={COLUMNS}>
          <Select label={samples.role} defaultValue="member">
            <option value="member">{samples.member}</option>
            <option value="admin">{samples.admin}</option>
          </Select>
          <Select label={samples.disabled} disabled>
            <option>{samples.member}</option>
          </Select>
        </div>
      </Entry>
      <Entry name="Checkbox" description={descriptions.checkbox}>
        <div className={COLUMNS}>
          <Checkbox label={samples.remember} hint={samples.rememberHint} defaultChecked />
          <Checkbox label={samples.remember} />
          <Checkbox label={samples.disabled} disabled />
          <Checkbox label={samples.disabled} disabled defaultChecked />
        </div>
      </Entry>
      <Entry name="Switch" description={descriptions.switch}>
        <div className="grid w-full max-w-md gap-4">
          <Switch label={samples.notify} hint={samples.notifyHint} defaultChecked />
          <Switch label={samples.notify} />
          <Switch label={samples.disabled} disabled />
        </div>
      </Entry>
      <Entry name="SegmentedRadios" description={descriptions.segmented}>
        <Views />
      </Entry>
    </>
  );
}

type View = 'list' | 'board';

function Views() {
  const { samples } = useTexts(catalogueTexts);
  const [view, setView] = useState<View>('list');
  const options = [
    { value: 'list', label: samples.list },
    { value: 'board', label: samples.board },
  ] as const;
  return (
    <>
      <SegmentedRadios<View> label={samples.view} options={options} value={view} onChange={setView} />
      <SegmentedRadios<View>
        label={samples.disabled}
        options={options}
        value={view}
        onChange={setView}
        disabled
      />
    </>
  );
}
