/** Where somebody is signed in, and how to end it. */
import { Form } from 'react-router';
import { accountTexts } from '../texts/account.ts';
import { useTexts } from '../texts/use-texts.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';

/** See the head of this file. */
export function SessionsCard() {
  const texts = useTexts(accountTexts).sessions;
  return (
    <Card title={texts.title} description={texts.lead}>
      <div className="flex flex-wrap gap-3 p-5">
        {(['others', 'global'] as const).map((scope) => (
          <Form key={scope} method="post" action="/sign-out">
            <input type="hidden" name="scope" value={scope} />
            <Button type="submit">{scope === 'others' ? texts.others : texts.all}</Button>
          </Form>
        ))}
      </div>
    </Card>
  );
}
