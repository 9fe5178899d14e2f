/** The second factors of one type. */
import { Button } from '../../ui/button.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { CardForm } from './card-form.tsx';
import type { OwnFactor } from './factors.server.ts';
import { RowItem, Rows } from './rows.tsx';

/** Texts for one type. */
interface FactorTexts {
  title: string;
  none: string;
  name: string;
  addedOn: string;
  remove: string;
}

/** `card` identifies the card that contains the rows. */
export function FactorRows(props: {
  factors: readonly OwnFactor[];
  card: 'factors' | 'keys' | 'phones';
  texts: FactorTexts;
}) {
  const { factors, card, texts } = props;
  if (factors.length === 0) return <p className="text-body text-ink-muted">{texts.none}</p>;
  return (
    <Rows label={texts.title}>
      {factors.map(({ id, name, createdAt }) => {
        const remove = (
          <CardForm intent="remove" className="contents">
            <input type="hidden" name="card" value={card} />
            <input type="hidden" name="factorId" value={id} />
            <Button type="submit" size="small">
              {texts.remove}
            </Button>
          </CardForm>
        );
        return (
          <RowItem key={id} actions={remove}>
            <p className="font-medium">{name || texts.name}</p>
            <p className="text-small text-ink-muted">
              {texts.addedOn} <LocalTime seconds={Math.floor(Date.parse(createdAt) / 1000)} />
            </p>
          </RowItem>
        );
      })}
    </Rows>
  );
}
