/** Buttons, links and menus. */
import { catalogueTexts } from '../../../texts/catalogue.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../../ui/menu.tsx';
import { Pagination } from '../../../ui/pagination.tsx';
import { SegmentedLinks } from '../../../ui/segmented-control.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { TextLink } from '../../../ui/text-link.tsx';
import { Tooltip } from '../../../ui/tooltip.tsx';
import { Entry } from './entry.tsx';

const CATALOGUE_PATH = '/admin/ui';

/** The entries of this group. */
export function ActionEntries() {
  const { descriptions, samples } = useTexts(catalogueTexts);
  return (
    <>
      <Entry name="Button" description={descriptions.button} isWide>
        <Buttons />
      </Entry>
      <Entry name="IconButton" description={descriptions.iconButton}>
        <Tooltip text={samples.search}>
          <IconButton icon="search" label={samples.view} />
        </Tooltip>
        <IconButton icon="copy" label={samples.duplicate} size="small" />
        <IconButton icon="close" label={samples.disabled} disabled />
      </Entry>
      <Entry name="TextLink" description={descriptions.links}>
        <p>
          {samples.beforeLink} <TextLink to={CATALOGUE_PATH}>{samples.link}</TextLink>.
        </p>
      </Entry>
      <Entry name="Menu" description={descriptions.menu}>
        <Menu trigger={<Button type="button">{samples.actions}</Button>}>
          <MenuLabel>{samples.more}</MenuLabel>
          <MenuItem icon="eye">{samples.view}</MenuItem>
          <MenuItem icon="copy">{samples.duplicate}</MenuItem>
          <MenuItem disabled>{samples.disabled}</MenuItem>
          <MenuSeparator />
          <MenuItem isDangerous>{samples.remove}</MenuItem>
        </Menu>
      </Entry>
      <Entry name="Tabs" description={descriptions.tabs} isWide>
        <Tabs
          label={samples.status}
          tabs={[
            { to: CATALOGUE_PATH, label: samples.all, count: 312 },
            { to: `${CATALOGUE_PATH}/active`, label: samples.active, count: 12 },
            { to: `${CATALOGUE_PATH}/archived`, label: samples.archived },
          ]}
        />
      </Entry>
      <Entry name="SegmentedLinks" description={descriptions.segmented}>
        <div className="w-60">
          <SegmentedLinks
            label={samples.view}
            links={[
              { to: CATALOGUE_PATH, label: samples.list, isCurrent: true },
              { to: `${CATALOGUE_PATH}?view=board`, label: samples.board, isCurrent: false },
            ]}
          />
        </div>
      </Entry>
      <Entry name="Pagination" description={descriptions.pagination} isWide>
        <Pagination
          label={samples.pages}
          range={samples.range}
          page={2}
          lastPage={7}
          pathOf={() => CATALOGUE_PATH}
        />
      </Entry>
    </>
  );
}

function Buttons() {
  const { samples } = useTexts(catalogueTexts);
  return (
    <div className="grid gap-4 rounded-card border border-line bg-surface p-5">
      {(['primary', 'secondary', 'ghost', 'danger'] as const).map((variant) => (
        <div key={variant} className="flex flex-wrap items-center gap-3">
          <Button type="button" variant={variant} size="large">
            {samples.save}
          </Button>
          <Button type="button" variant={variant}>
            {samples.save}
          </Button>
          <Button type="button" variant={variant} size="small">
            {samples.save}
          </Button>
          <Button type="button" variant={variant} isPending>
            {samples.saving}
          </Button>
          <Button type="button" variant={variant} disabled>
            {samples.disabled}
          </Button>
        </div>
      ))}
      <div>
        <ButtonLink to={CATALOGUE_PATH}>ButtonLink</ButtonLink>
      </div>
    </div>
  );
}
