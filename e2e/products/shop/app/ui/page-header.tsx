import { PageHeader as Original } from 'greenroom/app/ui/page-header';
import type { ComponentProps } from 'react';

export function PageHeader(props: ComponentProps<typeof Original>) {
  return (
    <div data-shop="header" className="border-b-[3px]">
      <Original {...props} />
    </div>
  );
}
