/** Components that display data. */
import * as CONSTANTS from '../../../constants.ts';
import { formatSize } from '../../../lib/format/size.ts';
import { catalogueTexts } from '../../../texts/catalogue.ts';
import { useLanguage, useTexts } from '../../../texts/use-texts.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import type { AvatarSize } from '../../../ui/avatar-sizes.ts';
import { Badge } from '../../../ui/badge.tsx';
import { BrandLogo } from '../../../ui/brand.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { DescriptionItem, DescriptionList } from '../../../ui/description-list.tsx';
import { Kbd } from '../../../ui/kbd.tsx';
import { Cell, Heading, Row, RowHeading, Table, TableHead } from '../../../ui/table.tsx';
import { Entry } from './entry.tsx';

const SIZES = Object.keys(CONSTANTS.avatar) as AvatarSize[];
const TEXT_TO_COPY = 'greenroom';
const CARD_BYTES = 1_204_000_000;
const ROW_BYTES = 128_000;

/** The entries of this group. */
export function DisplayEntries() {
  const { descriptions, samples } = useTexts(catalogueTexts);
  const language = useLanguage();
  return (
    <>
      <Entry name="Avatar" description={descriptions.avatar}>
        {SIZES.map((size) => (
          <Avatar key={size} name={samples.person} size={size} />
        ))}
        <Avatar name="" size="3xl" />
        <BrandLogo className="size-12" />
      </Entry>
      <Entry name="Badge" description={descriptions.badge}>
        <Badge>{samples.draft}</Badge>
        <Badge tone="primary" hasDot>
          {samples.live}
        </Badge>
        <Badge tone="warning">{samples.pending}</Badge>
        <Badge tone="danger">{samples.failed}</Badge>
        <Badge tone="info">{samples.confirmed}</Badge>
      </Entry>
      <Entry name="Card" description={descriptions.card} isWide>
        <Card
          title={samples.cardTitle}
          description={samples.cardText}
          actions={
            <Button type="button" size="small">
              {samples.edit}
            </Button>
          }
          footer={samples.cardFooter}
        >
          <DescriptionList>
            <DescriptionItem label={samples.status}>
              <Badge tone="primary">{samples.live}</Badge>
            </DescriptionItem>
            <DescriptionItem label={samples.size}>{formatSize(CARD_BYTES, language)}</DescriptionItem>
          </DescriptionList>
        </Card>
      </Entry>
      <Entry name="Table" description={descriptions.table} isWide>
        <Rows />
      </Entry>
      <Entry name="Kbd" description={descriptions.kbd}>
        <span className="flex gap-1">
          <Kbd>Ctrl</Kbd>
          <Kbd>K</Kbd>
        </span>
      </Entry>
      <Entry name="CopyButton" description={descriptions.copy}>
        <code className="font-mono text-small">{TEXT_TO_COPY}</code>
        <CopyButton text={TEXT_TO_COPY} label={samples.duplicate} />
      </Entry>
    </>
  );
}

function Rows() {
  const { samples } = useTexts(catalogueTexts);
  const language = useLanguage();
  return (
    <Table caption={samples.report}>
      <TableHead>
        <Heading>{samples.name}</Heading>
        <Heading>{samples.status}</Heading>
        <Heading className="text-end!">{samples.size}</Heading>
      </TableHead>
      <tbody>
        {[1, 2, 3].map((number) => (
          <Row key={number} isSelected={number === 2}>
            <RowHeading>{number === 2 ? samples.selectedRow : `${samples.report} ${number}`}</RowHeading>
            <Cell>
              <Badge>{samples.draft}</Badge>
            </Cell>
            <Cell className="text-end tabular-nums">{formatSize(number * ROW_BYTES, language)}</Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}
